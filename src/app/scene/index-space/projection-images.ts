import {
  type AffineRow,
  type Box,
  intersect,
  isDense,
  lengthOf,
  overlapsOf,
  projectBox,
  type Range,
  volumeOf,
} from "#core/indexspace";
import type { ProjectionSpace, SpaceDim, SpaceOperand } from "./projection-space.ts";

/** The cells of one operand onto which a window of the index space projects. */
export interface OperandImage {
  /** Bounding box of the cells; it may exceed the tensor if the program text is wrong. */
  readonly box: Box;
  /** Runs of touched indices per dim: several if strides skip indices. */
  readonly runs: readonly (readonly Range[])[];
  /** Whether one axis moves several dims, so that the box has cells that no point touches. */
  readonly isDiagonal: boolean;
  readonly cells: number;
}

/** Most runs per dim that are listed; with more, the bounding range represents them all. */
const mostRuns = 256;

/** The image of a window under the projection of each operand, in operand order. */
export function imagesOf(
  { operands }: Pick<ProjectionSpace, "operands">,
  window: Box,
): readonly OperandImage[] {
  return operands.map(({ projection }) => {
    const box = projectBox(projection, window);
    const runs = projection.map((row, dim) => runsOf(row, window, box[dim] ?? nothing));
    const isDiagonal = window.some(
      (range, axis) =>
        lengthOf(range) > 1 &&
        projection.filter(({ coefficients }) => (coefficients[axis] ?? 0) !== 0).length > 1,
    );
    return { box, runs, isDiagonal, cells: volumeOf(box) };
  });
}

/** The halo of one operand: cells that several shards touch. */
export interface SharedCells {
  readonly operand: number;
  readonly boxes: readonly Box[];
}

/** Most pairs of shards that are compared; more could not be distinguished in a drawing. */
const mostShared = 256;

/**
 * The halos of a plan by operand: cells that several shards touch. An operand that all shards read
 * whole has none.
 */
export function sharedCellsOf({
  operands,
  shards,
}: Pick<ProjectionSpace, "operands" | "shards">): readonly SharedCells[] {
  return operands.map(({ projection }, operand) => {
    const tiles = new Map(
      shards.map(({ box }) => {
        const tile = projectBox(projection, box);
        return [rangeText(tile), tile] as const;
      }),
    );
    const shared = overlapsOf([...tiles.values()].slice(0, 128), mostShared);
    return { operand, boxes: shared.map(({ cells }) => cells) };
  });
}

/** The box of a whole index space or tensor. */
export function wholeOf(dims: readonly SpaceDim[]): Box {
  return dims.map(({ range }) => range);
}

/** A window shifted by `by` indices along an axis, kept inside it. */
export function movedWindow(axes: readonly SpaceDim[], window: Box, axis: number, by: number): Box {
  return window.map((range, at) => {
    const limits = axes[at]?.range;
    if (at !== axis || limits === undefined) return range;
    const start = clamp(range.start + by, limits.start, limits.stop - lengthOf(range));
    return { start, stop: start + lengthOf(range) };
  });
}

/**
 * A window whose end is shifted by `by` indices along an axis; it stays inside the axis and is
 * never empty.
 */
export function resizedWindow(
  axes: readonly SpaceDim[],
  window: Box,
  axis: number,
  by: number,
): Box {
  return window.map((range, at) => {
    const limits = axes[at]?.range;
    if (at !== axis || limits === undefined) return range;
    return { start: range.start, stop: clamp(range.stop + by, range.start + 1, limits.stop) };
  });
}

/** A box as ranges of a tensor: `zr[0:10, 0:5]`. */
export function rangeText(box: Box): string {
  return `zr[${box.map(({ start, stop }) => `${start}:${stop}`).join(", ")}]`;
}

/**
 * Parses a box of `rank` ranges, `0:10, 0:5` with or without `zr[…]`. Returns a text, the end of an
 * error sentence, if the input is malformed.
 */
export function parseRange(text: string, rank: number): Box | string {
  const inside = /^(?:zr)?\[?([^[\]]*)\]?$/.exec(text.trim())?.[1];
  const parts = inside === undefined || inside.trim() === "" ? [] : inside.split(",");
  const box = parts.map((part) => {
    const [start, stop, ...more] = part.split(":").map((each) => each.trim());
    const isRange = more.length === 0 && [start, stop].every((each) => /^-?\d+$/.test(each ?? ""));
    return isRange ? { start: Number(start), stop: Number(stop) } : undefined;
  });
  const read = box.filter((each) => each !== undefined);
  if (inside === undefined || read.length !== box.length) return "a range is written 0:10, 0:5";
  if (read.length !== rank)
    return `it has ${rank} ${rank === 1 ? "dim" : "dims"}, not ${read.length}`;
  const backward = read.find(({ start, stop }) => stop < start);
  if (backward !== undefined) return `${backward.start}:${backward.stop} ends before it begins`;
  return read;
}

/** An image in words: its cells, its gaps, and whether it exceeds the tensor. */
export function imageNote({ cells, runs, isDiagonal, box }: OperandImage, { dims }: SpaceOperand) {
  const outside = intersect(box, wholeOf(dims));
  const isOutside = cells > 0 && (outside === undefined || volumeOf(outside) < cells);
  const count = runs.reduce(
    (product, each) => product * each.reduce((sum, range) => sum + lengthOf(range), 0),
    1,
  );
  return [
    isDiagonal ? `at most ${cells} cells` : `${count} ${count === 1 ? "cell" : "cells"}`,
    ...(!isDiagonal && count < cells ? [`with gaps, in a box of ${cells}`] : []),
    ...(isOutside ? ["reaches beyond the tensor"] : []),
  ].join(", ");
}

const nothing: Range = { start: 0, stop: 0 };

function runsOf(row: AffineRow, window: Box, hull: Range): readonly Range[] {
  if (lengthOf(hull) <= 0) return [];
  if (isDense(row, window)) return [hull];
  let starts: readonly number[] = [row.offset];
  for (const [axis, factor] of row.coefficients.entries()) {
    const range = window[axis] ?? { start: 0, stop: 1 };
    if (factor === 0) continue;
    if (starts.length * lengthOf(range) > mostRuns * 8) return [hull];
    const steps = Array.from({ length: lengthOf(range) }, (_, at) => factor * (range.start + at));
    starts = starts.flatMap((start) => steps.map((step) => start + step));
  }
  const runs = merged(
    [...starts].sort((a, b) => a - b),
    row.extent,
  );
  return runs.length > mostRuns ? [hull] : runs;
}

function merged(starts: readonly number[], extent: number): readonly Range[] {
  const runs: Range[] = [];
  for (const start of starts) {
    const last = runs.at(-1);
    if (last !== undefined && start <= last.stop) {
      runs.splice(-1, 1, { start: last.start, stop: Math.max(last.stop, start + extent) });
    } else runs.push({ start, stop: start + extent });
  }
  return runs;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
