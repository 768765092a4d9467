import { cutRange, gridOfRanges } from "./pieces.ts";
import { type Projection, projectBox } from "./projection.ts";
import { type Box, lengthOf, type Range } from "./range.ts";

/**
 * Whether a grid partition of an index (per axis a list of lengths that add up to it) tiles a tensor
 * cleanly: the tiles of the pieces with points share no cell and make up the tile of the whole.
 *
 * It is exact for rows whose extent is at least 1: an axis that is cut in several pieces with points
 * must move exactly one dim, and the ranges of that dim must follow each other without overlap or
 * gap. It is wider than asking each axis alone: with `h` cut in single indices, a merged dim `(h t)`
 * may be cut in `t` as well.
 */
export function isCleanTiling(
  projection: Projection,
  index: Box,
  lengths: readonly (readonly number[])[],
): boolean {
  if (index.some((range) => lengthOf(range) === 0)) return true;
  const cuts = index.map((range, axis) => {
    return cutRange(range, lengths[axis] ?? [lengthOf(range)]).filter((cut) => lengthOf(cut) > 0);
  });
  const isMovedOnce = (axis: number) => {
    return projection.filter(({ coefficients }) => (coefficients[axis] ?? 0) !== 0).length === 1;
  };
  const areMovedOnce = cuts.every((ranges, axis) => ranges.length === 1 || isMovedOnce(axis));
  return areMovedOnce && projection.every((_, dim) => isRowTiled(projection, dim, cuts));
}

/** Whether the ranges of one dim follow each other over all pieces of the axes that move it. */
function isRowTiled(
  projection: Projection,
  dim: number,
  cuts: readonly (readonly Range[])[],
): boolean {
  const row = projection.slice(dim, dim + 1);
  const moving = cuts.map((ranges, axis) => {
    const first = ranges[0] ?? { start: 0, stop: 0 };
    const last = ranges.at(-1) ?? first;
    const isMoved = (row[0]?.coefficients[axis] ?? 0) !== 0;
    return isMoved ? ranges : [{ start: first.start, stop: last.stop }];
  });
  const ranges = gridOfRanges(moving)
    .flatMap((piece) => projectBox(row, piece))
    .sort((a, b) => a.start - b.start);
  return ranges.every((range, at) => at === 0 || range.start === ranges[at - 1]?.stop);
}
