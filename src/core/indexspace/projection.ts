import { affineSum } from "./affine-sum.ts";
import type { Box } from "./range.ts";

/**
 * One tensor dim as an affine sum of index axes: an index point `i` touches the cells from
 * `coefficients · i + offset` on, `extent` of them (at least 0).
 *
 * There is one coefficient per index axis.
 */
export interface AffineRow {
  readonly coefficients: readonly number[];
  readonly offset: number;
  readonly extent: number;
}

/**
 * An affine projection from an index space to a tensor, one row per tensor dim.
 *
 * Without rows it leads to a tensor of rank 0, from an index of any rank.
 */
export type Projection = readonly AffineRow[];

/** Whether every row has one coefficient per index axis. */
export function fitsIndex(projection: Projection, indexRank: number): boolean {
  return projection.every(({ coefficients }) => coefficients.length === indexRank);
}

/**
 * The cells that one index point touches.
 * @internal
 */
export function project(projection: Projection, point: readonly number[]): Box {
  return projection.map(({ coefficients, offset, extent }) => {
    const start = affineSum(coefficients, point, offset);
    return { start, stop: start + extent };
  });
}

/**
 * Smallest box around all cells that the points of an index box touch.
 *
 * An index box without points gives an empty box at the image of its start, whatever the extents.
 */
export function projectBox(projection: Projection, index: Box): Box {
  if (hasNoPoint(index)) return imageOfNothing(projection, index);
  return projection.map((row) => {
    const low = row.coefficients.map((factor, axis) => cornerOf(index, axis, factor < 0));
    const high = row.coefficients.map((factor, axis) => cornerOf(index, axis, factor > 0));
    return {
      start: affineSum(row.coefficients, low, row.offset),
      stop: affineSum(row.coefficients, high, row.offset) + row.extent,
    };
  });
}

/**
 * Smallest box around the cells of the first and the last point of an index box.
 *
 * A check compares selections with this box. It equals `projectBox` exactly if no row mixes signs
 * (`mixesSigns`).
 */
export function projectCorners(projection: Projection, index: Box): Box {
  if (hasNoPoint(index)) return imageOfNothing(projection, index);
  const first = index.map(({ start }) => start);
  const last = index.map(({ stop }) => stop - 1);
  return projection.map(({ coefficients, offset, extent }) => {
    const a = affineSum(coefficients, first, offset);
    const b = affineSum(coefficients, last, offset);
    return { start: Math.min(a, b), stop: Math.max(a, b) + extent };
  });
}

/** Whether a row has both positive and negative coefficients on axes longer than 1. */
export function mixesSigns({ coefficients }: AffineRow, index: Box): boolean {
  const isLong = (axis: number) => cornerOf(index, axis, true) > cornerOf(index, axis, false);
  return (
    coefficients.some((factor, axis) => factor > 0 && isLong(axis)) &&
    coefficients.some((factor, axis) => factor < 0 && isLong(axis))
  );
}

/** The projection whose cells lie `vector` further; one entry per row. */
export function translate(projection: Projection, vector: readonly number[]): Projection {
  return projection.map((row, dim) => ({ ...row, offset: row.offset + (vector[dim] ?? 0) }));
}

function hasNoPoint(index: Box): boolean {
  return index.some(({ start, stop }) => start >= stop);
}

function imageOfNothing(projection: Projection, index: Box): Box {
  const start = index.map((range) => range.start);
  return project(projection, start).map((range) => ({ start: range.start, stop: range.start }));
}

function cornerOf(index: Box, axis: number, isLast: boolean): number {
  const range = index[axis] ?? { start: 0, stop: 1 };
  return isLast ? range.stop - 1 : range.start;
}
