import { product } from "#core/arithmetic";
import { type Box, lengthOf, type Range, volumeOf } from "#core/indexspace";

/** Grid that shards make of an index: lengths of the pieces per axis, or why they form none. */
export type ShardGrid =
  | { readonly ok: true; readonly lengths: readonly (readonly number[])[] }
  | { readonly ok: false; readonly why: string };

/**
 * Whether shards are exactly the pieces of a grid over an index. Equal shards count once; empty
 * ones are ignored.
 *
 * @param names of the index axes
 */
export function gridOfShards(
  index: Box,
  shards: readonly (Box | undefined)[],
  names: readonly string[],
): ShardGrid {
  const boxes = new Map<string, Box>();
  for (const box of shards) {
    if (box === undefined) return { ok: false, why: "one of them has no index" };
    if (box.length !== index.length) return { ok: false, why: "one has an index of another rank" };
    if (volumeOf(box) > 0) boxes.set(JSON.stringify(box), box);
  }
  const cuts = index.map((_, axis) => distinctRanges([...boxes.values()], axis));
  const counts = cuts.map((ranges) => ranges.length);
  for (const [axis, ranges] of cuts.entries()) {
    const why = faultOf(index[axis] ?? { start: 0, stop: 0 }, ranges);
    if (why !== undefined) return { ok: false, why: `along "${names[axis] ?? axis}" ${why}` };
  }
  const points = product(counts);
  if (points === boxes.size) return { ok: true, lengths: cuts.map((cut) => cut.map(lengthOf)) };
  return { ok: false, why: `they are ${boxes.size} of the ${points} pieces of a grid` };
}

function distinctRanges(boxes: readonly Box[], axis: number): readonly Range[] {
  const ranges = new Map<string, Range>();
  for (const box of boxes) {
    const range = box[axis];
    if (range !== undefined) ranges.set(`${range.start} ${range.stop}`, range);
  }
  return [...ranges.values()].sort((a, b) => a.start - b.start || a.stop - b.stop);
}

/** Why ranges do not tile an axis; `undefined` when they do. */
function faultOf(axis: Range, ranges: readonly Range[]): string | undefined {
  let at = axis.start;
  for (const { start, stop } of ranges) {
    if (start < at) return "they overlap";
    if (start > at) return `they leave out ${at}:${start}`;
    at = stop;
  }
  return at === axis.stop ? undefined : `they end at ${at}, not at ${axis.stop}`;
}
