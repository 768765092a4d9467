import { type Box, lengthOf, volumeOf } from "#core/indexspace";
import type { LocalBlock } from "./local-block.ts";

/**
 * Copies a region that lies in both blocks. Where the source's values are too short, the target is
 * unchanged.
 */
export function copyRegion(source: LocalBlock, target: LocalBlock, region: Box): void {
  eachRun(source.box, target.box, region, (from, to, length) => {
    target.values.set(source.values.subarray(from, from + length), to);
  });
}

/** Joins a region of the source into the target, value by value. */
export function joinRegion(
  source: LocalBlock,
  target: LocalBlock,
  region: Box,
  join: (held: number, added: number) => number,
): void {
  eachRun(source.box, target.box, region, (from, to, length) => {
    for (let at = 0; at < length; at += 1) {
      const added = source.values[from + at] ?? Number.NaN;
      target.values[to + at] = join(target.values[to + at] ?? Number.NaN, added);
    }
  });
}

/** Visits the rows of a region along its last dim: where each begins in two boxes, and its length. */
function eachRun(
  source: Box,
  target: Box,
  region: Box,
  visit: (from: number, to: number, length: number) => void,
): void {
  const outer = region.slice(0, -1);
  const last = region.at(-1);
  const length = last === undefined ? 1 : lengthOf(last);
  const runs = length === 0 ? 0 : volumeOf(outer);
  const point = region.map(({ start }) => start);
  for (let run = 0; run < runs; run += 1) {
    visit(offsetIn(source, point), offsetIn(target, point), length);
    for (let dim = outer.length - 1; dim >= 0; dim -= 1) {
      const range = outer[dim] ?? { start: 0, stop: 0 };
      const next = (point[dim] ?? 0) + 1;
      point[dim] = next < range.stop ? next : range.start;
      if (next < range.stop) break;
    }
  }
}

function offsetIn(box: Box, point: readonly number[]): number {
  return box.reduce(
    (offset, range, dim) => offset * lengthOf(range) + (point[dim] ?? 0) - range.start,
    0,
  );
}
