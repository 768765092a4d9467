import { type AffineRow, type Box, lengthOf, projectBox } from "#core/indexspace";

/**
 * Form of one dim: index axes, most major first, over `cells` cells that are always selected
 * together.
 */
export interface Form {
  readonly axes: readonly number[];
  readonly cells: number;
  /**
   * Axes that move the dim in a way that no annotation expresses (stride, window, negative step).
   */
  readonly odd: readonly number[];
}

/** Reads one row of a projection as a dim of an annotation. */
export function formOf(row: AffineRow, index: Box): Form {
  const moving = row.coefficients
    .map((step, axis) => ({ step, axis, length: lengthOf(index[axis] ?? { start: 0, stop: 1 }) }))
    .filter(({ step }) => step !== 0)
    .sort((a, b) => a.step - b.step || a.length - b.length);
  const axes: number[] = [];
  let reached = row.extent;
  for (const { step, axis, length } of moving) {
    if (step !== reached && length === 1) continue;
    if (step !== reached) {
      const [whole] = projectBox([row], index);
      const odd = moving.map(({ axis }) => axis);
      return { axes: [], cells: whole === undefined ? 1 : lengthOf(whole), odd };
    }
    reached *= length;
    axes.push(axis);
  }
  return { axes: axes.reverse(), cells: row.extent, odd: [] };
}
