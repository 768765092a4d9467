import type { Definition, Expr } from "#core/ir/body";

/** A loop of a sum in which only one index contributes; `at` computes that index. */
export interface PinnedLoop {
  readonly axis: string;
  readonly at: Expr;
  readonly value: Expr;
}

/**
 * Finds the loop of a sum that a single index can replace: the terms are 0 unless the loop's index
 * equals an expression that does not depend on it, as in embeddings and gathers. `undefined` for
 * any other body.
 */
export function pinnedLoop({ over, combine, value }: Definition): PinnedLoop | undefined {
  if (combine !== "sum") return undefined;
  if (value.kind !== "apply" || value.function !== "select") return undefined;
  const [condition, yes, no] = value.args;
  if (no?.kind !== "number" || no.value !== 0 || yes === undefined) return undefined;
  const sides = condition && equated(condition);
  const [left, right] = sides ?? [];
  if (left?.kind !== "index" || right === undefined) return undefined;
  const isLoop = over.some(({ axis }) => axis === left.axis);
  return isLoop && isFree(right, left.axis)
    ? { axis: left.axis, at: right, value: yes }
    : undefined;
}

/** The sides of an equality, which bodies write as `a ≤ b` times `b ≤ a`. */
function equated(expr: Expr): readonly [Expr, Expr] | undefined {
  if (expr.kind !== "apply" || expr.function !== "mul") return undefined;
  const [below, above] = expr.args;
  if (below?.kind !== "apply" || above?.kind !== "apply") return undefined;
  if (below.function !== "less-equal" || above.function !== "less-equal") return undefined;
  const [a, b] = below.args;
  return a !== undefined && b !== undefined && above.args[0] === b && above.args[1] === a
    ? [a, b]
    : undefined;
}

/**
 * Whether an expression contains no table and does not name an axis; reads at the operand's
 * projection are allowed.
 */
function isFree(expr: Expr, axis: string): boolean {
  switch (expr.kind) {
    case "number":
      return true;
    case "index":
      return expr.axis !== axis;
    case "table":
      return false;
    case "read":
      return expr.at === undefined || expr.at.every((each) => isFree(each, axis));
    case "apply":
      return expr.args.every((arg) => isFree(arg, axis));
  }
}
