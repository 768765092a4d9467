// Reductions from losses of single elements or samples to the result.

import type { Expr } from "./body/body.ts";
import { div, isNumber } from "./body/expressions.ts";
import { axesIn, type BoundCall, type CallShapes, outputAt, pointsAlong, textOf } from "./call.ts";

/** `mean`, `sum`, `none`, or `batchmean`, which divides by the rows of the input alone. */
export function reductionOf(call: Pick<CallShapes, "attributes">): string {
  return textOf(call, "reduction", "mean");
}

/** Mark of a dim whose losses are added up; a mean freezes the dims that it averages. */
export function markOf(call: Pick<CallShapes, "attributes">): "" | "+" | "^" {
  const kind = reductionOf(call);
  return kind === "sum" ? "+" : kind === "none" ? "" : "^";
}

/**
 * The divisor of a mean with equal weights: the number of points of some axes, or the number of
 * rows of the input (`batchmean`).
 */
export function sharesOf(call: BoundCall, axes: readonly string[]): number {
  const kind = reductionOf(call);
  if (kind === "batchmean") return call.inputs[0]?.shape[0] ?? 1;
  return kind === "mean" ? pointsAlong(call, axes) : 1;
}

/** Loss divided by the divisor of a mean. */
export function divided(value: Expr, divisor: Expr): Expr {
  return isNumber(divisor, 1) ? value : div(value, divisor);
}

/** Axes that the result lacks, out of the given ones: losses are added up along them. */
export function addedAlong(call: BoundCall, axes: readonly string[]): readonly string[] {
  const kept = axesIn(call, outputAt(call, 0));
  return axes.filter((name) => !kept.includes(name));
}
