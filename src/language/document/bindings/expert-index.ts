import type { Diagnostic, Span } from "#core/diagnostics";
import type { Context, HostObject, HostType, Value } from "#language/python";
import type { At } from "./call-place.ts";
import { hostFunction, integerOf } from "./values/values.ts";

/** Factories for the index values of experts. */
interface Experts {
  index(experts: number, start?: number, isRow?: boolean): ExpertIndex;
  joined(values: readonly Value[], at?: At): Value | undefined;
}

/** Index of an expert in the single traced round of a loop over all experts. */
export interface ExpertIndex extends HostObject {
  readonly data: {
    readonly experts: number;
    /** Index of the first expert. */
    readonly start: number;
    /** Whether the value is a row with one index, as iterating a list of positions gives. */
    readonly isRow: boolean;
  };
}

const typeName = "expert index";

export function isExpertIndex(value: Value | undefined): value is ExpertIndex {
  return value?.kind === "host" && value.type.name === typeName;
}

/** Host type of an expert index: the operations that a program may apply to it. */
export function expertIndexType(loops: Experts): HostType {
  const scalar = (self: HostObject): Value => {
    if (!isExpertIndex(self)) return self;
    return loops.index(self.data.experts, self.data.start);
  };
  return {
    name: typeName,
    attribute: (self, name, context, span) =>
      keeping.has(name)
        ? hostFunction(name, () => scalar(self))
        : context.leaveOut(unreadOf(`"${name}"`, span)),
    item: (self) => scalar(self),
    binary: (self, operator, other, reflected, context, span) =>
      isExpertIndex(self)
        ? computed(loops, self, { operator, other, reflected }, context, span)
        : undefined,
    unary: (self, operator) => (operator === "+" ? self : undefined),
    number: (self, as, context, span) =>
      as === "index" ? unread("a number", context, span) : scalar(self),
    among: (self, items, context, span) => {
      if (!isExpertIndex(self)) return undefined;
      const { start, experts } = self.data;
      const joined = loops.joined(items.slice(start, start + experts), { context, span });
      return joined ?? unread("a row of values", context, span);
    },
    truth: () => true,
    iterate: (self) => [scalar(self)],
    text: (self) => (isExpertIndex(self) ? `${self.data.start}` : ""),
  };
}

function unread(what: string, context: Context, span: Span): never {
  return context.raise("NotImplementedError", unreadOf(what, span).message, span);
}

function unreadOf(what: string, span: Span): Diagnostic {
  const message = `${what} is not read at the index of an expert: all experts run as one`;
  return { code: "document/unknown-value", severity: "warning", message, span };
}

/** Methods that convert an index without changing its value. */
const keeping: ReadonlySet<string> = new Set([
  ...["item", "squeeze", "flatten", "long", "int", "cpu", "to", "reshape", "view", "tolist"],
]);

interface Operation {
  readonly operator: string;
  readonly other: Value;
  readonly reflected: boolean;
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/**
 * An expert index plus or minus a number, or compared with one. A comparison whose answer differs
 * by expert is unknown.
 */
function computed(
  loops: Experts,
  { data }: ExpertIndex,
  { operator, other, reflected }: Operation,
  context: Context,
  span: Span,
): Value | undefined {
  const number = integerOf(other);
  if (number === undefined) return undefined;
  const { experts, start } = data;
  if (operator === "+") return loops.index(experts, start + number);
  if (operator === "-" && !reflected) return loops.index(experts, start - number);
  if (operator === "==" && (number < start || number >= start + experts))
    return { kind: "bool", value: false };
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
  if (compare === undefined && operator !== "==") return undefined;
  const answers = [start, start + experts - 1].map((each) =>
    reflected ? compare?.(number, each) : compare?.(each, number),
  );
  if (compare !== undefined && answers[0] === answers[1])
    return { kind: "bool", value: answers[0] === true };
  return unread("a condition", context, span);
}

/** Host type of the indices of all experts, as `nonzero` or `unique` gives them. */
export function expertListType(loops: Experts): HostType {
  return {
    name: "expert indices",
    attribute: (self, name, context, span) =>
      keeping.has(name) || name === "numpy"
        ? hostFunction(name, () => flat(self, name))
        : context.leaveOut(unreadOf(`"${name}"`, span)),
    item: (self) => self,
    iterate: (self) => {
      const { experts, isMatrix } = dataOf(self);
      return [loops.index(experts, 0, isMatrix)];
    },
    length: (self) => dataOf(self).experts,
    truth: () => true,
    text: () => "experts",
  };
}

function flat(self: HostObject, name: string): Value {
  if (!["squeeze", "flatten", "reshape", "view"].includes(name)) return self;
  return { ...self, data: { ...dataOf(self), isMatrix: false } };
}

function dataOf({ data }: HostObject): { experts: number; isMatrix: boolean } {
  const isOwn =
    typeof data === "object" && data !== null && "experts" in data && "isMatrix" in data;
  return isOwn
    ? { experts: Number(data.experts), isMatrix: data.isMatrix === true }
    : { experts: 0, isMatrix: false };
}
