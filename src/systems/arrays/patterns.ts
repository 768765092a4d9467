import type { BoundCall } from "#core/ir";
import type { Expr } from "#core/ir/body";
import { partKey } from "./shared-parts.ts";

type Application = Extract<Expr, { kind: "apply" }>;

/** The two sides of `a ≤ b and b ≤ a`, by which a body expresses equality. */
export function equalityOf({ function: name, args }: Application): readonly Expr[] | undefined {
  const [left, right] = args;
  if (name !== "mul" || left?.kind !== "apply" || right?.kind !== "apply") return undefined;
  if (left.function !== "less-equal" || right.function !== "less-equal") return undefined;
  const isTurned =
    args.length === 2 && left.args.map(partKey).join() === right.args.map(partKey).reverse().join();
  return isTurned ? left.args : undefined;
}

/** The condition of a select between 1 and 0: the comparison itself counts as that number. */
export function conditionOf({ function: name, args }: Application): Expr | undefined {
  const [condition, yes, no] = args;
  if (name !== "select" || condition?.kind !== "apply") return undefined;
  const isCount = yes?.kind === "number" && yes.value === 1 && isZero(no);
  const isBool = condition.function.startsWith("less") || equalityOf(condition) !== undefined;
  return isCount && isBool ? condition : undefined;
}

/** An operand element at given indices. */
interface Look {
  readonly operand: number;
  readonly at: readonly Expr[];
}

/**
 * A lookup equivalent to a sum: the summed value is an operand where an index equals `at`, and 0
 * elsewhere.
 */
export function lookOf(call: BoundCall, value: Expr, axis: string): Look | undefined {
  if (value.kind !== "apply" || value.function !== "select") return undefined;
  const [condition, read, otherwise] = value.args;
  const sides = condition?.kind === "apply" ? equalityOf(condition) : undefined;
  if (sides === undefined || read?.kind !== "read" || !isZero(otherwise)) return undefined;
  const index = sides.find((side) => side.kind === "index" && side.axis === axis);
  const place = sides.find((side) => side !== index);
  const operand = call.inputs[read.operand];
  if (index === undefined || place === undefined || operand === undefined) return undefined;
  if (read.at !== undefined || dependsOn(call, place, axis)) return undefined;
  const names = operand.dims.map(({ identifiers }) => identifiers);
  if (names.some(({ length }) => length !== 1) || !names.flat().includes(axis)) return undefined;
  const at = names
    .flat()
    .map((name): Expr => (name === axis ? place : { kind: "index", axis: name }));
  return { operand: read.operand, at };
}

function isZero(expr: Expr | undefined): boolean {
  return expr?.kind === "number" && expr.value === 0;
}

function dependsOn(call: BoundCall, expr: Expr, axis: string): boolean {
  switch (expr.kind) {
    case "number":
      return false;
    case "index":
      return expr.axis === axis;
    case "table":
      return true;
    case "apply":
      return expr.args.some((arg) => dependsOn(call, arg, axis));
    case "read":
      return (
        expr.at?.some((arg) => dependsOn(call, arg, axis)) ??
        call.inputs[expr.operand]?.dims.some(({ identifiers }) => identifiers.includes(axis)) ??
        true
      );
  }
}
