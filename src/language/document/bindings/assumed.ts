import type { Diagnostic, Span } from "#core/diagnostics";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { trains } from "../trace/repeated-rounds.ts";
import { freshSize, type Size } from "../trace/size.ts";
import { onlyRaises } from "./only-raises.ts";
import { hostFunction, integerOf, itemsOf, none, numberOf, textOf } from "./values/values.ts";

/** Something that the text names but does not have: an unknown import, an undefined name. */
export interface Assumed {
  readonly name: string;
  /** The result of a call of the value. */
  readonly call: (self: Assumed, args: readonly Argument[], context: Context, span: Span) => Value;
  /** The size that the value stands for where one is wanted. */
  readonly size: Size;
  /** The result of an operator between two such values. */
  readonly operate: (
    operator: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /** It stands for an argument that nobody passes: what follows from it is nobody's fault. */
  readonly isStandIn?: boolean | undefined;
  /** A size, or another fact, of a tensor of which nobody knows the shape. */
  readonly isOfUnknown?: boolean | undefined;
  /** Not in the text at all, which is said of the name already. */
  readonly isUndefined?: boolean | undefined;
  /** It is a tensor: the text gives its shape. */
  readonly isTensor?: boolean | undefined;
  /** Whether nothing was reported of the value yet: the module is known, and lacks the name. */
  readonly isUnsaid?: boolean | undefined;
  /** The line that would have set it was left out, which is said. */
  readonly isLeftOut?: boolean | undefined;
  /** A member of it that is known all the same: the text defines it. */
  readonly member?: ((name: string) => Value | undefined) | undefined;
  /** An item of it, by its place or key, that is known to be a tensor. */
  readonly part?: ((key: string | number, span: Span, context: Context) => Value) | undefined;
  /**
   * The result of a call that is known although the callee is not: a conversion of a number to its
   * type.
   */
  readonly known?: ((args: readonly Argument[]) => Value | undefined) | undefined;
  /** How the program uses it, as far as a definition of it must know. */
  used?: "called" | "as an object";
  /** Whether it has been an operand of an operator: then it may be a tensor. */
  isOperand?: boolean;
  /** Whether the program calls it, however else it uses it. */
  isCalled?: boolean;
  /** A definition that stands for it where it is called with tensors. */
  definition?: string | undefined;
}

/** Attributes by which a module or function describes itself. */
const facts: ReadonlySet<string> = new Set([
  ...["__version__", "__name__", "__file__", "__doc__", "__dict__"],
]);

/** Says that something depends on what is not known, at its place. */
function sayUnknown(self: HostObject, what: string, context: Context, span: Span, then = ""): void {
  if (dataOf(self).isStandIn !== true) context.report(unknownIn(self, what, span, then));
}

function unknownIn(self: HostObject, what: string, span: Span, then = ""): Diagnostic {
  const message = `${what} depends on "${dataOf(self).name}", which is not known here${then}`;
  return { code: "document/unknown-value", severity: "warning", message, span };
}

/** Says that something is left out, since a tensor whose shape nobody knows gives its count. */
function sayCount(self: HostObject, context: Context, span: Span): void {
  context.report({
    code: "document/unknown-value",
    severity: "warning",
    message: `a count depends on "${dataOf(self).name}", which is not known: read as 0`,
    span,
  });
}

/**
 * The branch that a condition on unknown sizes takes: as if it did not hold. A `while` loop is left
 * out, with the names that it sets.
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
    // Unknown settings as `**kwargs`: none, so the defaults hold.
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
    if (other.kind === "host" && other.type !== type) return undefined;
    const operands = reflected ? [other, self] : [self, other];
    return assumed.operate(operator, operands, context, span) ?? another(assumed);
  },
  unary: (self) => another(dataOf(self)),
  text: (self) => dataOf(self).name,
  plain: (self) => dataOf(self).name,
};

/** What values that follow from an assumed one take over from it. */
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

/** The Python value of something assumed: whatever a program does with it, it stays assumed. */
export function assumedValue(name: string, ways: Ways): HostObject {
  const { call, operate, member, isStandIn, isOfUnknown, isUndefined } = ways;
  const { isUnsaid, isLeftOut, isTensor, part } = ways;
  const said = { isUndefined, isUnsaid, isLeftOut };
  const flags = { isStandIn, isOfUnknown, isTensor, member, part, ...said };
  const data: Assumed = { name, call, operate, ...flags, size: freshSize() };
  return { kind: "host", type, data };
}

/** A further unknown value, derived from this one. */
function another(assumed: Assumed, name = assumed.name): HostObject {
  const known = { member: undefined, part: undefined };
  return assumedValue(name, { ...assumed, isUndefined: false, isTensor: false, ...known });
}

/** A fact of a tensor without a known shape: its rank, its sizes. */
export function unknownFact(name: string): HostObject {
  return assumedValue(name, {
    isStandIn: true,
    isOfUnknown: true,
    call: (self) => another(self),
    operate: () => undefined,
  });
}

/** A fact that only a real run knows: how a tensor lies in memory. */
export function runFact(name: string): HostObject {
  return assumedValue(name, {
    isUnsaid: true,
    call: (self) => another(self, `${self.name}()`),
    operate: () => undefined,
  });
}

/** The assumption that a Python value stands for: of an undefined name or an unknown result. */
export function assumedOf(value: Value | undefined): Assumed | undefined {
  return value?.kind === "host" && value.type === type ? dataOf(value) : undefined;
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

/** Only values of this type reach its methods. */
function dataOf(self: HostObject): Assumed {
  return self.data as Assumed;
}

/**
 * A size as a program writes it: an integer (`True` is 1), or a name that it does not define;
 * `undefined` of anything else.
 */
export function sizeOf(value: Value): Size | undefined {
  if (value.kind === "bool") return numberOf(value);
  return assumedOf(value)?.size ?? integerOf(value);
}

/** Tensors have no more dims than this, so that an annotation of one stays readable. */
export const rankLimit = 64;

/**
 * A shape as a program writes it: a size, or a tuple or list of sizes; `undefined` of anything
 * else, and beyond `rankLimit` dims.
 */
export function shapeOf(value: Value): readonly Size[] | undefined {
  const items = itemsOf(value) ?? [value];
  if (items.length > rankLimit) return undefined;
  const written = items.map(sizeOf);
  return written.every((size) => size !== undefined) ? written : undefined;
}
