import type { Comparison, Expression } from "./expression.ts";
import { type Facts, termValue, type Value } from "./facts.ts";
import { liesAsWritten, liesLike } from "./same-layout.ts";

/** Plans that a condition can refer to. */
export interface World {
  /** The plan that is graded. */
  readonly now: Facts;
  /**
   * Facts of another text of the lesson: `start`, `best` or a named text; `undefined` if there is
   * none.
   */
  readonly of: (text: string) => Facts | undefined;
}

/**
 * Value of an expression. Never throws: a missing fact gives `unknown`, and operators propagate it.
 * `and` and `or` still have a value where a known operand decides it.
 */
export function evaluate(expression: Expression, world: World): Value {
  switch (expression.kind) {
    case "number":
      return { kind: "number", value: expression.value };
    case "text":
      return { kind: "text", value: expression.value };
    case "term":
      return termValue(expression, world.now, world.of("start"));
    case "in": {
      const facts = world.of(expression.text);
      if (facts === undefined) return unknown(`there is no text ${expression.text}`);
      return evaluate(expression.of, { ...world, now: facts });
    }
    case "not": {
      const inside = evaluate(expression.of, world);
      return inside.kind === "truth" ? { kind: "truth", value: !inside.value } : inside;
    }
    case "and":
    case "or":
      return joined(
        expression.kind === "or",
        expression.parts.map((part) => evaluate(part, world)),
      );
    case "arithmetic":
      return arithmetic(expression, world);
    case "compare":
      return compared(expression, world);
  }
}

/** Whether a value is the truth value true; `unknown` counts as false. */
export function isTrue(value: Value): boolean {
  return value.kind === "truth" && value.value;
}

function unknown(why: string): Value {
  return { kind: "unknown", why };
}

/**
 * Joins truth values by `or` (`decides` is true) or `and` (false); one operand equal to `decides`
 * settles the result.
 */
function joined(decides: boolean, values: readonly Value[]): Value {
  const isDecided = values.some((each) => each.kind === "truth" && each.value === decides);
  if (isDecided) return { kind: "truth", value: decides };
  return values.find(({ kind }) => kind !== "truth") ?? { kind: "truth", value: !decides };
}

function arithmetic(
  { by, left, right }: Extract<Expression, { kind: "arithmetic" }>,
  world: World,
): Value {
  const [a, b] = [evaluate(left, world), evaluate(right, world)];
  if (a.kind !== "number") return a;
  if (b.kind !== "number") return b;
  const value = {
    "+": a.value + b.value,
    "-": a.value - b.value,
    "*": a.value * b.value,
    "/": a.value / b.value,
  }[by];
  return Number.isFinite(value) ? { kind: "number", value } : unknown("it is no finite number");
}

function compared(
  { by, left, right }: Extract<Expression, { kind: "compare" }>,
  world: World,
): Value {
  const [a, b] = [evaluate(left, world), evaluate(right, world)];
  if (a.kind === "unknown") return a;
  if (b.kind === "unknown") return b;
  if (a.kind === "number" && b.kind === "number") {
    return { kind: "truth", value: holds(by, a.value, b.value) };
  }
  const isEqual = a.kind === "text" && b.kind === "text" && isSameText(a, b, world);
  return { kind: "truth", value: by === "=" ? isEqual : !isEqual };
}

type Text = Extract<Value, { kind: "text" }>;

/**
 * Whether two text values are equal. Layouts also match if their blocks do; a layout literal is
 * read on the mesh of the start.
 */
function isSameText(a: Text, b: Text, world: World): boolean {
  if (a.lies !== undefined && b.lies !== undefined) {
    return a.value === b.value || liesLike(a.lies, b.lies);
  }
  const [lies, written] = a.lies === undefined ? [b.lies, a.value] : [a.lies, b.value];
  const start = world.of("start")?.compiled.mesh.mesh ?? lies?.layout.mesh;
  if (lies === undefined || start === undefined) return a.value === b.value;
  return liesAsWritten(lies, written, start);
}

/**
 * Relative tolerance of comparisons: modelled figures are sums of many terms and carry rounding
 * errors.
 */
const nearly = 1e-9;

function holds(by: Comparison, a: number, b: number): boolean {
  const isEqual = Math.abs(a - b) <= nearly * Math.max(Math.abs(a), Math.abs(b));
  switch (by) {
    case "=":
      return isEqual;
    case "≠":
      return !isEqual;
    case "<":
      return a < b && !isEqual;
    case "≤":
      return a < b || isEqual;
    case ">":
      return a > b && !isEqual;
    case "≥":
      return a > b || isEqual;
  }
}
