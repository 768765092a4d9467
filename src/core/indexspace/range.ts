/** A half-open interval `[start, stop)` of integer indices; empty when they are equal. */
export interface Range {
  readonly start: number;
  readonly stop: number;
}

/** A box of indices: one range per dim. Rank 0 is the box of one point. */
export type Box = readonly Range[];

/** Number of indices in a range. */
export function lengthOf(range: Range): number {
  return range.stop - range.start;
}

/** Number of points of a box: the product of its lengths; 1 at rank 0. */
export function volumeOf(box: Box): number {
  return box.reduce((product, range) => product * lengthOf(range), 1);
}

/** The box of all indices of a shape. */
export function boxOf(shape: readonly number[]): Box {
  return shape.map((size) => ({ start: 0, stop: size }));
}

/** The common part of two boxes of equal rank, or `undefined` when they share no point. */
export function intersect(a: Box, b: Box): Box | undefined {
  const common = a.map((range, dim) => {
    const other = b[dim] ?? { start: 0, stop: 0 };
    return { start: Math.max(range.start, other.start), stop: Math.min(range.stop, other.stop) };
  });
  return common.every((range) => range.start < range.stop) ? common : undefined;
}

/** Whether two boxes have the same ranges. */
export function sameBox(a: Box, b: Box): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every((range, dim) => range.start === b[dim]?.start && range.stop === b[dim]?.stop)
  );
}

/**
 * Whether a box of equal rank lies inside another. By its ends, not by its points: an empty box
 * outside is not contained, one on the far edge is.
 */
export function containsBox(outer: Box, inner: Box): boolean {
  return inner.every((range, dim) => {
    const whole = outer[dim];
    return whole !== undefined && whole.start <= range.start && range.stop <= whole.stop;
  });
}
