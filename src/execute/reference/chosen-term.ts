import type { Definition, Expr } from "#core/ir/body";
import { evaluateOf, type Point, type Scope } from "./expression.ts";

/** A loop of a sum: the slot of its index, and its length. */
interface LoopSlot {
  readonly slot: number;
  readonly size: number;
}

/**
 * Shortcut for a sum along one axis in which only the term at a computed index is not 0, as in a
 * lookup: this term is exactly the sum. `undefined` for other sums. The returned function gives
 * `undefined` if the index is uncertain, so that all terms must be added.
 */
export function chosenTerm(
  { over, combine, value }: Definition,
  scope: Scope,
  loops: readonly LoopSlot[],
): ((point: Point) => number | undefined) | undefined {
  const [loop] = over;
  const [place] = loops;
  if (combine !== "sum" || over.length !== 1 || loop === undefined || place === undefined)
    return undefined;
  const choice = choiceOf(value, loop.axis, scope);
  if (choice === undefined) return undefined;
  const index = evaluateOf(choice.index, scope);
  const term = evaluateOf(choice.term, scope);
  return (point) => {
    const chosen = index(point);
    if (point.error !== 0 || Number.isNaN(chosen)) return undefined;
    if (!Number.isInteger(chosen) || chosen < 0 || chosen >= place.size) {
      point.error = 0;
      return 0;
    }
    point.at[place.slot] = chosen;
    const found = term(point);
    const size = Math.abs(found);
    if (size > point.peak && size !== Number.POSITIVE_INFINITY) point.peak = size;
    return found;
  };
}

/** The term `select((i ≤ e) · (e ≤ i), term, 0)` for the index `i` of an axis, and `e` without it. */
function choiceOf(
  value: Expr,
  axis: string,
  scope: Scope,
): { readonly index: Expr; readonly term: Expr } | undefined {
  if (value.kind !== "apply" || value.function !== "select") return undefined;
  const [condition, term, none] = value.args;
  if (term === undefined || none?.kind !== "number" || none.value !== 0) return undefined;
  if (condition?.kind !== "apply" || condition.function !== "mul") return undefined;
  const [below, above] = condition.args;
  if (below?.kind !== "apply" || below.function !== "less-equal") return undefined;
  if (above?.kind !== "apply" || above.function !== "less-equal") return undefined;
  const [loop, index] = below.args;
  if (loop?.kind !== "index" || loop.axis !== axis || index === undefined) return undefined;
  const isEqual = same(above.args[0], index) && same(above.args[1], loop);
  return isEqual && !follows(index, axis, scope) ? { index, term } : undefined;
}

function same(one: Expr | undefined, other: Expr): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether an expression depends on an axis: directly, or through a read along it. */
function follows(expr: Expr, axis: string, scope: Scope): boolean {
  switch (expr.kind) {
    case "number":
      return false;
    case "index":
      return expr.axis === axis;
    case "table":
      return scope.tables.get(expr.name)?.axes.includes(axis) ?? true;
    case "read": {
      if (expr.at !== undefined) return expr.at.some((each) => follows(each, axis, scope));
      const dims = scope.call.inputs[expr.operand]?.dims ?? [];
      return dims.some(({ identifiers }) => identifiers.includes(axis));
    }
    case "apply":
      return expr.args.some((arg) => follows(arg, axis, scope));
  }
}
