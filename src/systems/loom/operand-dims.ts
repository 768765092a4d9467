import { type AffineRow, type Box, lengthOf, type Projection, splitEffect } from "#core/indexspace";
import type { OperandDim } from "#core/ir";
import { formOf } from "./dim-form.ts";

/**
 * Index axes whose split never makes two shards write the same cells, or leaves cells out (loom.md
 * §2.2).
 */
export function cleanAxes(index: Box, outputs: readonly Projection[]): ReadonlySet<number> {
  const isClean = (axis: number) =>
    outputs.every((projection) => splitEffect(projection, index, axis).kind === "clean");
  return new Set([...index.keys()].filter(isClean));
}

/**
 * Dims of an operand: the axes that move each, most major first, with cells that always go together
 * as a number. A dim is splittable along the free axis that moves it furthest; no axis splits two
 * dims.
 */
export function operandDimsOf(
  projection: Projection,
  index: Box,
  names: readonly string[],
  free: ReadonlySet<number>,
): readonly OperandDim[] {
  const taken = new Set<number>();
  return projection.map((row): OperandDim => {
    const best = movingAxes(row, index).find((axis) => free.has(axis) && !taken.has(axis));
    if (best !== undefined) taken.add(best);
    const splittable = best === undefined ? undefined : names[best];
    return {
      identifiers: identifiersOf(row, index, names),
      ...(splittable !== undefined && { splittable }),
    };
  });
}

function identifiersOf(row: AffineRow, index: Box, names: readonly string[]): readonly string[] {
  const { axes, cells, odd } = formOf(row, index);
  const moving = odd.length > 0 ? movingAxes(row, index) : axes;
  const words = moving.map((axis) => names[axis] ?? "");
  const isNumber = odd.length === 0 && (cells > 1 || words.length === 0);
  return isNumber ? [...words, String(cells)] : words;
}

/** Axes longer than 1 that move a row, largest step first. */
function movingAxes({ coefficients }: AffineRow, index: Box): readonly number[] {
  const reach = (axis: number) => {
    const range = index[axis] ?? { start: 0, stop: 1 };
    return Math.abs(coefficients[axis] ?? 0) * (lengthOf(range) - 1);
  };
  return [...coefficients.keys()]
    .filter((axis) => reach(axis) > 0)
    .sort((a, b) => Math.abs(coefficients[b] ?? 0) - Math.abs(coefficients[a] ?? 0) || a - b);
}
