import { type Box, lengthOf, type Range } from "./range.ts";

/** Neighbouring ranges of the given lengths from the start of `range` on; they must add up. */
export function cutRange(range: Range, lengths: readonly number[]): readonly Range[] {
  let start = range.start;
  const ranges = lengths.map((length): Range => {
    const piece = { start, stop: start + length };
    start = piece.stop;
    return piece;
  });
  if (start !== range.stop || lengths.some((length) => length < 0)) {
    throw new Error(`the lengths ${lengths.join(", ")} do not make ${lengthOf(range)}`);
  }
  return ranges;
}

/**
 * The grid of pieces of a box: one list of lengths per axis, each adding up to the axis; the last
 * axis runs fastest. Lengths of 0 are allowed.
 */
export function cutBox(box: Box, lengths: readonly (readonly number[])[]): readonly Box[] {
  const ranges = box.map((range, axis) => cutRange(range, lengths[axis] ?? [lengthOf(range)]));
  return gridOfRanges(ranges);
}

/** Every box that takes one range of each list; the last list runs fastest. */
export function gridOfRanges(ranges: readonly (readonly Range[])[]): readonly Box[] {
  return ranges.reduce<readonly Box[]>(
    (boxes, axis) => boxes.flatMap((box) => axis.map((range) => [...box, range])),
    [[]],
  );
}

/**
 * Lengths of at most `chunk` (at least 1) that make up `length`; only the last may be shorter.
 * Length 0 is one empty piece.
 */
export function chunkLengths(length: number, chunk: number): readonly number[] {
  if (!(chunk >= 1)) throw new Error(`a chunk has at least one index, not ${chunk}`);
  const count = Math.max(1, Math.ceil(length / chunk));
  return Array.from({ length: count }, (_, at) => Math.min(chunk, length - at * chunk));
}
