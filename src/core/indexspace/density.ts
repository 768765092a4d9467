import type { AffineRow } from "./projection.ts";
import { type Box, lengthOf } from "./range.ts";

/**
 * Whether a row leaves no cell of its hull untouched over a box of the index.
 *
 * Exact: taken in order of size, each coefficient must not exceed what the smaller ones already
 * reach. A box without points has no holes.
 */
export function isDense(row: AffineRow, index: Box): boolean {
  if (index.some((range) => lengthOf(range) <= 0)) return true;
  const steps = row.coefficients
    .map((factor, axis) => ({ step: Math.abs(factor), length: lengthAt(index, axis) }))
    .filter(({ step, length }) => step > 0 && length > 1)
    .sort((a, b) => a.step - b.step);
  let reached = row.extent;
  for (const { step, length } of steps) {
    if (step > reached) return false;
    reached += step * (length - 1);
  }
  return true;
}

/**
 * Number of cells that one step of an axis moves over: the extent of a row when only the other axes
 * run, `extent + Σ |coefficient| · (length − 1)`.
 *
 * Neighbouring blocks of the axis touch without overlap exactly when the axis' own coefficient is
 * that large.
 */
export function reachBeside(row: AffineRow, index: Box, axis: number): number {
  return row.coefficients.reduce((reach, factor, other) => {
    if (other === axis) return reach;
    return reach + Math.abs(factor) * Math.max(0, lengthAt(index, other) - 1);
  }, row.extent);
}

function lengthAt(index: Box, axis: number): number {
  return lengthOf(index[axis] ?? { start: 0, stop: 1 });
}
