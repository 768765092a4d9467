import type { Diagnostic, Span } from "#core/diagnostics";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { trains } from "../trace/repeated-rounds.ts";
import { freshSize, type Size } from "../trace/size.ts";
import { onlyRaises } from "./only-raises.ts";
import { hostFunction, integerOf, itemsOf, none, numberOf, textOf } from "./values/values.ts";

/** A value that the text names but does not define: an unknown import or an undefined name. */
export interface Assumed {
  readonly name: string;
  /** The result of a call of the value. */
  readonly call: (self: Assumed, args: readonly Argument[], context: Context, span: Span) => Value;
  /** The size that the value stands for when it is used as one. */
  readonly size: Size;
  /** The result of a binary operator with such a value; `undefined` leaves it to the default. */
  readonly operate: (
    operator: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * The value stands for an argument that no call passes: diagnostics about what follows from it
   * are not reported.
   */
  readonly isStandIn?: boolean | undefined;
  /** The value is a size or another fact of a tensor of unknown shape. */
  readonly isOfUnknown?: boolean | undefined;
  /** The name is not defined anywhere in the text, and that is already reported. */
  readonly isUndefined?: boolean | undefined;
  /** The value is a tensor whose shape the text gives. */
  readonly isTensor?: boolean | undefined;
  /** Nothing was reported of the value yet: its module is known, but has no such name. */
  readonly isUnsaid?: boolean | undefined;
  /** The line that would set the name was left out, and that is already reported. */
  readonly isLeftOut?: boolean | undefined;
  /** Attribute of the value that the text defines although the value is unknown. */
  readonly member?: ((name: string) => Value | undefined) | undefined;
  /** Item of the value, by index or key, that is known to be a tensor. */
  readonly part?: ((key: string | number, span: Span, context: Context) => Value) | undefined;
  /**
   * Result of a call that is known although the callee is not, such as the conversion of a number
   * to its type.
   */
  readonly known?: ((args: readonly Argument[]) => Value | undefined) | undefined;
  /** How the program uses the value, as far as a generated definition must know. */
  used?: "called" | "as an object";
  /** Whether the value was an operand of an operator, so that it may be a tensor. */
  isOperand?: boolean;
  /** Whether the program calls the value, in addition to other uses. */
  isCalled?: boolean;
  /** Definition offered for the value when it is called with tensors. */
  definition?: string | undefined;
}

/** Introspection attributes of a module or function. */
const facts: ReadonlySet<string> = new Set([
  ...["__version__", "__name__", "__file__", "__doc__", "__dict__"],
]);

/** Reports that `what` depends on an unknown value. Silent for stand-ins. */
function sayUnknown(self: HostObject, what: string, context: Context, span: Span, then = ""): void {
  if (dataOf(self).isStandIn !== true) context.report(unknownIn(self, what, span, then));
}

function unknownIn(self: HostObject, what: string, span: Span, then = ""): Diagnostic {
  const message = `${what} depends on "${dataOf(self).name}", which is not known here${then}`;
  return { code: "document/unknown-value", severity: "warning", message, span };
}

/** Reports that a count depends on a tensor of unknown shape and is read as 0. */
function sayCount(self: HostObject, context: Context, span: Span): void {
  context.report({
    code: "document/unknown-value",
    severity: "warning",
    message: `a count depends on "${dataOf(self).name}", which is not known: read as 0`,
    span,
  });
}

/**
 * Truth of a condition on an unknown value: read as false. A `while` loop is left out with the
 * names that it sets.
 */
function truthOfUnknown(self: HostObject, context: Context, span: Span): boolean {
  const start = context.source.lastIndexOf("\n", span.from - 1) + 1;
  if (/^\s*while\b/u.test(context.source.slice(start, span.from)))
    return context.leaveOut(unknownIn(self, "how often this runs", span));
  if (!onlyRaises(context.source, span))
    context.report(unknownIn(self, "which way this goes", span, ": read as if it did not hold"));
  return false;
}

const type: HostType = {
  name: "object",
  isUnknown: true,
  call: (self, args, context, span) => {
    dataOf(self).used ??= "called";
    dataOf(self).isCalled = true;
    return dataOf(self).call(dataOf(self), args, context, span);
  },
  attribute: (self, name) => {
    const assumed = dataOf(self);
    assumed.used = "as an object";
    const member = assumed.member?.(name);
    if (member !== undefined) return member;
    if (name === "__enter__") return hostFunction(name, () => another(assumed));
    if (name === "__exit__") return hostFunction(name, () => none);
    if (name === "__copy__" || name === "__deepcopy__")
      return hostFunction(name, () => another(assumed));
    const isHidden = name.startsWith("__") && !facts.has(name);
    return isHidden ? undefined : another(assumed, `${assumed.name}.${name}`);
  },
  item: (self, key, context, span) => {
    const assumed = dataOf(self);
    assumed.used = "as an object";
    const at = integerOf(key) ?? textOf(key);
    return at === undefined
      ? another(assumed)
      : (assumed.part?.(at, span, context) ?? another(assumed));
  },
  iterate: (self, context, span) => {
    const what = "what this goes through";
    if (dataOf(self).isOfUnknown === true) return context.leaveOut(unknownIn(self, what, span));
    // Unknown settings as `**kwargs` count as none, so that the defaults hold.
    sayUnknown(self, what, context, span);
    return [];
  },
  unpack: (self, count, context, span) => {
    const assumed = dataOf(self);
    return Array.from(
      { length: count },
      (_, at) => assumed.part?.(at, span, context) ?? another(assumed, `${assumed.name}[${at}]`),
    );
  },
  setAttribute: () => true,
  setItem: () => true,
  number: (self, as, context, span) => {
    if (as === "rounds" && trains(context.source)) {
      sayUnknown(self, "how often this runs", context, span, ": read as once");
      return { kind: "int", value: 1n };
    }
    if (as === "int" || as === "float") return self;
    if (dataOf(self).isOfUnknown === true) sayCount(self, context, span);
    sayUnknown(self, "a count", context, span);
    return { kind: "int", value: 0n };
  },
  length: (self, context, span) => {
    sayUnknown(self, "a length", context, span);
    return 0;
  },
  truth: (self, context, span) => {
    if (dataOf(self).isOfUnknown === true) return truthOfUnknown(self, context, span);
    sayUnknown(self, "which way this goes", context, span, ": read as if it did not hold");
    return false;
  },
  binary: (self, operator, other, reflected, context, span) => {
    const assumed = dataOf(self);
    if (other.kind === "host" && other.type.isUnknown !== true) return undefined;
    const operands = reflected ? [other, self] : [self, other];
    return assumed.operate(operator, operands, context, span) ?? another(assumed);
  },
  unary: (self) => another(dataOf(self)),
  text: (self) => dataOf(self).name,
  plain: (self) => dataOf(self).name,
};

/** Properties of an assumed value that derived values inherit. */
type Ways = Pick<
  Assumed,
  | "call"
  | "operate"
  | "isStandIn"
  | "isOfUnknown"
  | "isUndefined"
  | "isUnsaid"
  | "isLeftOut"
  | "isTensor"
  | "member"
  | "part"
>;

/** Python value for an unknown name; every operation on it gives another unknown value. */
export function assumedValue(name: string, ways: Ways): HostObject {
  const { call, operate, member, isStandIn, isOfUnknown, isUndefined } = ways;
  const { isUnsaid, isLeftOut, isTensor, part } = ways;
  const said = { isUndefined, isUnsaid, isLeftOut };
  const flags = { isStandIn, isOfUnknown, isTensor, member, part, ...said };
  const data: Assumed = { name, call, operate, ...flags, size: freshSize() };
  return { kind: "host", type, data };
}

/** A further unknown value derived from this one. */
function another(assumed: Assumed, name = assumed.name): HostObject {
  const known = { member: undefined, part: undefined };
  return assumedValue(name, { ...assumed, isUndefined: false, isTensor: false, ...known });
}

/** An unknown fact of a tensor without a known shape: its rank or a size. */
export function unknownFact(name: string): HostObject {
  return assumedValue(name, {
    isStandIn: true,
    isOfUnknown: true,
    call: (self) => another(self),
    operate: () => undefined,
  });
}

/** A fact known only at run time, such as a tensor's strides. */
export function runFact(name: string): HostObject {
  return assumedValue(name, {
    isUnsaid: true,
    call: (self) => another(self, `${self.name}()`),
    operate: () => undefined,
  });
}

/** The assumption behind a Python value; `undefined` for known values. */
export function assumedOf(value: Value | undefined): Assumed | undefined {
  return value?.kind === "host" && value.type.isUnknown === true ? dataOf(value) : undefined;
}

/**
 * Whether an unknown value may be taken as an input of its name where a tensor is wanted: a plain
 * name that the text does not define, or an argument that no call passes. Other unknown values,
 * such as a field of one, may as well be numbers.
 */
export function maybeInput({ name, isStandIn, isUndefined, isLeftOut }: Assumed): boolean {
  if (name.includes(".")) return false;
  return isStandIn === true || (isUndefined === true && isLeftOut !== true);
}

/** The cast is safe: only values of this type reach its methods. */
function dataOf(self: HostObject): Assumed {
  return self.data as Assumed;
}

/**
 * A size as a program writes it: an integer (`True` is 1) or an undefined name; `undefined` for
 * other values.
 */
export function sizeOf(value: Value): Size | undefined {
  if (value.kind === "bool") return numberOf(value);
  return assumedOf(value)?.size ?? integerOf(value);
}

/** Largest rank of a tensor, so that its annotation stays readable. */
export const rankLimit = 64;

/**
 * A shape as a program writes it: a size, or a tuple or list of sizes. `undefined` for other values
 * and beyond `rankLimit` dims.
 */
export function shapeOf(value: Value): readonly Size[] | undefined {
  const items = itemsOf(value) ?? [value];
  if (items.length > rankLimit) return undefined;
  const written = items.map(sizeOf);
  return written.every((size) => size !== undefined) ? written : undefined;
}
