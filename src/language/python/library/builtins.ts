import type { Span } from "#core/diagnostics";
import { callSpecial } from "../values/call.ts";
import { isSubclass, plain, specialOf, typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { keyOf } from "../values/keys.ts";
import { lengthOf } from "../values/length.ts";
import { bool, none, str } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { hashOf } from "../values/set-order.ts";
import { pointsOf } from "../values/subscript.ts";
import { asciiOf, reprOf, textOf } from "../values/text.ts";
import type { ClassValue, Value } from "../values/value.ts";
import {
  deleteNamed,
  directory,
  getNamed,
  hasAttribute,
  setNamed,
  vars,
} from "./attribute-builtins.ts";
import { bindArguments, first, integer, text } from "./bind-arguments.ts";
import { formatValue } from "./format.ts";

export type Builtin = (rt: Runtime, args: readonly Argument[], span: Span) => Value;

/** Builtin functions about objects, attributes and text. */
export const objectBuiltins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["print", print],
  [
    "len",
    (rt, args, span) => ({
      kind: "int",
      value: lengthOf(rt, first(bindArguments(rt, "len", args, "obj", span)), span),
    }),
  ],
  [
    "repr",
    (rt, args, span) => str(reprOf(rt, first(bindArguments(rt, "repr", args, "obj", span)), span)),
  ],
  [
    "ascii",
    (rt, args, span) =>
      str(asciiOf(reprOf(rt, first(bindArguments(rt, "ascii", args, "obj", span)), span))),
  ],
  ["format", format],
  ["isinstance", (rt, args, span) => isInstance(rt, args, span)],
  ["issubclass", isSubclassOf],
  [
    "callable",
    (rt, args, span) => bool(isCallable(first(bindArguments(rt, "callable", args, "obj", span)))),
  ],
  ["hasattr", hasAttribute],
  ["getattr", getNamed],
  ["setattr", setNamed],
  ["delattr", deleteNamed],
  [
    "id",
    (rt, args, span) => ({
      kind: "int",
      value: BigInt(rt.identity(first(bindArguments(rt, "id", args, "obj", span)))),
    }),
  ],
  ["hash", hash],
  ["chr", character],
  ["ord", ordinal],
  ["vars", vars],
  [
    "dir",
    (rt, args, span) => directory(rt, first(bindArguments(rt, "dir", args, "object", span)), span),
  ],
  ["super", explicitSuper],
]);

/** Built-in names of Python that the evaluator refuses: a harmless program does not need them. */
export const refused: readonly string[] = [
  "eval",
  "exec",
  "compile",
  "open",
  "input",
  "__import__",
  "globals",
  "locals",
  "breakpoint",
  "memoryview",
  "bytes",
  "bytearray",
  "complex",
];

const printOptions = ["sep", "end", "file", "flush"];

function print(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const strange = args.find(({ name }) => name !== undefined && !printOptions.includes(name));
  if (strange !== undefined) {
    const message = `'${strange.name}' is an invalid keyword argument for print()`;
    rt.fail("TypeError", message, strange.nameSpan ?? span);
  }
  const option = (name: string, assumed: string) => {
    const value = args.find((argument) => argument.name === name)?.value;
    return value === undefined || value.kind === "none" ? assumed : textOf(rt, value, span);
  };
  const parts = args
    .filter(({ name }) => name === undefined)
    .map(({ value }) => textOf(rt, rt.known(value), span));
  rt.print(parts.join(option("sep", " ")) + option("end", "\n"), span);
  return none;
}

function format(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value = none, specification] = bindArguments(
    rt,
    "format",
    args,
    "value format_spec?",
    span,
  );
  const wanted = specification === undefined ? "" : text(rt, "format", specification, span);
  return str(formatValue(rt, value, wanted, span));
}

/** `isinstance(value, type)`, where the type may be a tuple or a union of types. */
function isInstance(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value = none, type = none] = bindArguments(
    rt,
    "isinstance",
    args,
    "obj class_or_tuple",
    span,
  );
  if (value.kind === "host" && value.type.isUnknown === true) return value;
  const message = "isinstance() arg 2 must be a type, a tuple of types, or a union";
  const types = type.kind === "tuple" ? type.items : [type];
  const isOfHost = types.some((each) => each.kind === "host-function" && each.isInstance?.(value));
  return bool(isOfHost || matches(rt, rt.classOf(value), type, span, message));
}

function isSubclassOf(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [type = none, of = none] = bindArguments(
    rt,
    "issubclass",
    args,
    "cls class_or_tuple",
    span,
  );
  if (type.kind !== "class")
    return rt.fail("TypeError", "issubclass() arg 1 must be a class", span);
  const message = "issubclass() arg 2 must be a class, a tuple of classes, or a union";
  return bool(matches(rt, type, of, span, message));
}

function matches(rt: Runtime, type: ClassValue, of: Value, span: Span, message: string): boolean {
  if (of.kind === "class") return isSubclass(type, of) || isOfKind(rt, type, of);
  if (of.kind === "none") return type === rt.type("NoneType");
  if (of.kind === "tuple") return of.items.some((item) => matches(rt, type, item, span, message));
  if (of.kind === "host" || of.kind === "host-function" || of.kind === "module") return false;
  rt.known(of);
  return rt.fail("TypeError", message, span);
}

/** Whether a built-in type is an instance of an abstract class of `typing` or `collections.abc`. */
function isOfKind(rt: Runtime, type: ClassValue, of: ClassValue): boolean {
  if (rt.homes.get(of) !== "typing") return false;
  const kinds = abstractKinds.get(of.name);
  return kinds !== undefined && type.mro.some(({ name }) => kinds.includes(name));
}

const iterables = "list tuple str dict set frozenset range";

/**
 * Built-in types that `isinstance` accepts, by abstract class of `typing` and `collections.abc`.
 */
const abstractKinds: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Sequence: "list tuple str range",
    MutableSequence: "list",
    Mapping: "dict",
    MutableMapping: "dict",
    Iterable: `${iterables} generator`,
    Collection: iterables,
    Container: iterables,
    Sized: iterables,
    Reversible: "list tuple str dict range",
    List: "list",
    Dict: "dict",
    Tuple: "tuple",
    Set: "set",
    FrozenSet: "frozenset",
    Callable: "function method builtin_function_or_method type",
  }).map(([name, types]) => [name, types.split(" ")]),
);

function isCallable(value: Value): boolean {
  switch (value.kind) {
    case "function":
    case "method":
    case "host-function":
    case "class":
    case "staticmethod":
      return true;
    case "host":
      return value.type.call !== undefined;
    case "instance":
      return specialOf(value, "__call__") !== undefined;
    default:
      return false;
  }
}

function hash(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const value = first(bindArguments(rt, "hash", args, "obj", span));
  const own = callSpecial(rt, value, "__hash__", [], span);
  if (own?.kind === "int") return own;
  if (own !== undefined) rt.fail("TypeError", "__hash__ method should return an integer", span);
  const key = keyOf(rt, value, span);
  const known = hashOf(plain(value));
  if (known !== undefined) return { kind: "int", value: known };
  if (typeof key === "number") return { kind: "int", value: BigInt(Math.trunc(key)) };
  if (typeof key === "object") return { kind: "int", value: BigInt(rt.identity(key)) };
  let sum = 0xcbf29ce484222325n;
  for (const unit of key)
    sum = BigInt.asUintN(61, (sum ^ BigInt(unit.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return { kind: "int", value: sum };
}

function character(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const point = integer(rt, first(bindArguments(rt, "chr", args, "i", span)), span);
  if (BigInt.asIntN(32, point) !== point)
    rt.fail("OverflowError", "Python int too large to convert to C int", span);
  if (point < 0n || point > 0x10ffffn) {
    rt.fail("ValueError", "chr() arg not in range(0x110000)", span);
  }
  return str(String.fromCodePoint(Number(point)));
}

function ordinal(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const value = first(bindArguments(rt, "ord", args, "c", span));
  if (value.kind !== "str") {
    const message = `ord() expected string of length 1, but ${typeName(value)} found`;
    return rt.fail("TypeError", message, span);
  }
  const points = pointsOf(value.value);
  if (points.length !== 1) {
    const message = `ord() expected a character, but string of length ${points.length} found`;
    rt.fail("TypeError", message, span);
  }
  return { kind: "int", value: BigInt(value.value.codePointAt(0) ?? 0) };
}

function explicitSuper(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [type, self] = bindArguments(rt, "super", args, "type? object?", span);
  if (type === undefined) return rt.fail("RuntimeError", "super(): no arguments", span);
  if (type.kind !== "class") {
    return rt.fail("TypeError", `super() argument 1 must be a type, not ${typeName(type)}`, span);
  }
  const own = self?.kind === "instance" ? self.type : self;
  if (self === undefined || own?.kind !== "class" || !isSubclass(own, type)) {
    const message = "super(type, obj): obj must be an instance or subtype of type";
    return rt.fail("TypeError", message, span);
  }
  return { kind: "super", after: type, self };
}
