import type { Span } from "#core/diagnostics";
import { callSpecial } from "../values/call.ts";
import { makeClass, makeInstance, metaclassOf, plain } from "../values/classes.ts";
import { rangeLength } from "../values/equality.ts";
import type { Argument } from "../values/host.ts";
import { initializeSubclass } from "../values/initialize-subclass.ts";
import { itemsOf } from "../values/iterate.ts";
import { keyOf } from "../values/keys.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { setEntry } from "../values/set-item.ts";
import { textOf } from "../values/text.ts";
import { keyOfText } from "../values/text-key.ts";
import { truth } from "../values/truth.ts";
import type { ClassValue, DictValue, SetValue, Value } from "../values/value.ts";
import { bindArguments, integer, size } from "./bind-arguments.ts";
import { makeFloat, makeInteger } from "./number-constructors.ts";

type Make = (rt: Runtime, args: readonly Argument[], span: Span, type: ClassValue) => Value;

const makers: ReadonlyMap<string, Make> = new Map<string, Make>([
  ["object", makeObject],
  ["type", makeType],
  ["int", makeInteger],
  ["float", makeFloat],
  ["bool", makeBool],
  ["str", makeText],
  ["list", (rt, args, span) => ({ kind: "list", items: given(rt, "list", args, span) })],
  ["tuple", makeTuple],
  ["dict", makeDict],
  ["set", (rt, args, span) => makeSet(rt, given(rt, "set", args, span), false, span)],
  ["frozenset", (rt, args, span) => makeSet(rt, given(rt, "frozenset", args, span), true, span)],
  ["range", makeRange],
  ["slice", makeSlice],
  ["property", makeProperty],
  ["staticmethod", (_rt, [callee]) => ({ kind: "staticmethod", callee: callee?.value ?? none })],
  ["classmethod", (_rt, [callee]) => ({ kind: "classmethod", callee: callee?.value ?? none })],
]);

const following: ReadonlySet<string> = new Set([
  ...["list", "tuple", "set", "frozenset", "dict", "str"],
]);

/** Adds the constructors of Python's built-in classes to the runtime. */
export function addConstructors(rt: Runtime): void {
  for (const [name, make] of makers) {
    rt.constructors.set(rt.type(name), (type, args, span) => {
      const [only] = args;
      const isGiven = only?.value.kind === "host" && only.name === undefined;
      const isOfOther = isGiven && following.has(name) && type === rt.type(name);
      // A container or string made from an unknown value is unknown.
      if (isOfOther && only.value.type.isUnknown === true) return only.value;
      return make(rt, args, span, type);
    });
  }
  const exception = rt.type("BaseException");
  for (const type of rt.types.values()) {
    if (!type.mro.includes(exception)) continue;
    rt.constructors.set(type, (own, args) => makeException(own, args));
  }
}

function makeObject(rt: Runtime, args: readonly Argument[], span: Span, type: ClassValue): Value {
  bindArguments(rt, "object", args, "", span);
  return makeInstance(type);
}

function makeException(type: ClassValue, args: readonly Argument[]): Value {
  const made = makeInstance(type);
  const items = args.filter(({ name }) => name === undefined).map(({ value }) => value);
  made.attributes.set("args", { kind: "tuple", items });
  const [only] = items;
  if (type.mro.some(({ name }) => name === "StopIteration"))
    made.attributes.set("value", only ?? none);
  return made;
}

/** Items of the single optional argument. */
function given(rt: Runtime, name: string, args: readonly Argument[], span: Span): Value[] {
  const [from] = bindArguments(rt, name, args, "iterable?", span);
  // `list` and `tuple` ask a range for its length, which is limited; `set` does not.
  if (from?.kind === "range" && (name === "list" || name === "tuple"))
    size(rt, { kind: "int", value: rangeLength(from) }, span);
  return from === undefined ? [] : itemsOf(rt, from, args[0]?.span ?? span);
}

function makeTuple(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [from] = args;
  if (from?.value.kind === "tuple" && args.length === 1) return from.value;
  return { kind: "tuple", items: given(rt, "tuple", args, span) };
}

/** Set of items; the first of equal items is kept. */
export function makeSet(
  rt: Runtime,
  items: readonly Value[],
  frozen: boolean,
  span: Span,
): SetValue {
  const members: SetValue["members"] = new Map();
  rt.allocate(items.length, span);
  for (const item of items) {
    const key = keyOf(rt, item, span);
    if (!members.has(key)) members.set(key, item);
  }
  return { kind: "set", frozen, members };
}

function makeDict(rt: Runtime, args: readonly Argument[], span: Span): DictValue {
  const made: DictValue = { kind: "dict", entries: new Map() };
  const positional = args.filter(({ name }) => name === undefined);
  if (positional.length > 1) {
    rt.fail("TypeError", `dict expected at most 1 argument, got ${positional.length}`, span);
  }
  const [from] = positional;
  if (from !== undefined) fillDict(rt, made, from.value, from.span);
  for (const { name, value } of args) {
    if (name === undefined) continue;
    rt.allocate(3, span);
    made.entries.set(keyOfText(name), { key: { kind: "str", value: name }, value });
  }
  return made;
}

/** `dict.update`: from a mapping or from pairs. */
export function fillDict(rt: Runtime, dict: DictValue, from: Value, span: Span): void {
  const inner = plain(from);
  if (inner.kind === "dict") {
    for (const { key, value } of [...inner.entries.values()]) setEntry(rt, dict, key, value, span);
    return;
  }
  const keys = callSpecial(rt, from, "keys", [], span);
  if (keys !== undefined) {
    for (const key of itemsOf(rt, keys, span)) {
      const value = callSpecial(rt, from, "__getitem__", [key], span);
      if (value !== undefined) setEntry(rt, dict, key, value, span);
    }
    return;
  }
  for (const [index, pair] of itemsOf(rt, from, span).entries()) {
    const [key, value] = pairOf(rt, pair, index, span);
    setEntry(rt, dict, key, value, span);
  }
}

function pairOf(rt: Runtime, pair: Value, index: number, span: Span): readonly [Value, Value] {
  if (!isPair(pair)) {
    const message = `cannot convert dictionary update sequence element #${index} to a sequence`;
    return rt.fail("TypeError", message, span);
  }
  const items = itemsOf(rt, pair, span);
  const [key, value] = items;
  if (key !== undefined && value !== undefined && items.length === 2) return [key, value];
  const message = `dictionary update sequence element #${index} has length ${items.length}; 2 is required`;
  return rt.fail("ValueError", message, span);
}

function isPair(value: Value): boolean {
  return !["none", "bool", "int", "float", "function", "class"].includes(value.kind);
}

function makeRange(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const open = unknownRange(rt, args, span);
  if (open !== undefined) return open;
  const values = bindArguments(rt, "range", args, "start stop? step?", span);
  const [a, b, c] = values.map((value, at) =>
    value === undefined ? undefined : integer(rt, value, args[at]?.span ?? span),
  );
  if (c === 0n) rt.fail("ValueError", "range() arg 3 must not be zero", args[2]?.span ?? span);
  if (b === undefined) return { kind: "range", start: 0n, stop: a ?? 0n, step: 1n };
  return { kind: "range", start: a ?? 0n, stop: b, step: c ?? 1n };
}

/**
 * Range with an unknown end: it gets as many rounds as the host assumes; `undefined` when the end
 * is known.
 */
function unknownRange(rt: Runtime, args: readonly Argument[], span: Span): Value | undefined {
  const end = args.length === 1 ? args[0]?.value : args[1]?.value;
  if (end?.kind !== "host" || end.type.isUnknown !== true) return undefined;
  const rounds = end.type.number?.(end, "rounds", rt.context, span);
  const start = args.length === 1 ? 0n : integer(rt, args[0]?.value ?? none, span);
  if (rounds?.kind !== "int") return undefined;
  return { kind: "range", start, stop: start + rounds.value, step: 1n };
}

function makeSlice(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [a = none, b, c = none] = bindArguments(rt, "slice", args, "start stop? step?", span);
  if (b === undefined) return { kind: "slice", start: none, stop: a, step: none };
  return { kind: "slice", start: a, stop: b, step: c };
}

function makeProperty(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [get, set, remove] = bindArguments(rt, "property", args, "fget? fset? fdel? doc?", span);
  return { kind: "property", get, set, remove };
}

function makeBool(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value] = bindArguments(rt, "bool", args, "object?", span);
  return { kind: "bool", value: value !== undefined && truth(rt, value, span) };
}

function makeText(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value] = bindArguments(rt, "str", args, "object? encoding? errors?", span);
  return { kind: "str", value: value === undefined ? "" : textOf(rt, value, span) };
}

function makeType(rt: Runtime, args: readonly Argument[], span: Span, type: ClassValue): Value {
  // Keyword arguments of a class statement go to `__init_subclass__`.
  const positional = args.filter(({ name }) => name === undefined);
  const [value, bases, namespace] = bindArguments(
    rt,
    "type",
    positional,
    "object bases? dict?",
    span,
  );
  if (bases === undefined) return rt.classOf(value ?? none);
  if (value?.kind !== "str" || bases.kind !== "tuple" || namespace?.kind !== "dict") {
    return rt.fail("TypeError", "type.__new__() argument 1 must be str", span);
  }
  const parents = bases.items.filter((base) => base.kind === "class");
  const attributes = new Map<string, Value>();
  for (const { key, value: item } of namespace.entries.values()) {
    if (key.kind === "str") attributes.set(key.value, item);
  }
  const from = parents.length > 0 ? parents : [rt.type("object")];
  const metaclass = metaclassOf(from, type === rt.type("type") ? undefined : type);
  const path = attributes.get("__qualname__");
  attributes.delete("__qualname__");
  const made = makeClass(value.value, from, {
    attributes,
    span,
    ...(metaclass === undefined ? {} : { metaclass }),
    ...(path?.kind === "str" ? { qualifiedName: path.value } : {}),
  });
  initializeSubclass(rt, made, args.slice(3), span);
  return made;
}
