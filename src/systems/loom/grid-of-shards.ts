import { type Box, chunkLengths, lengthOf, type Range, volumeOf } from "#core/indexspace";

/** How shards cut an index: into how many equal pieces per axis, or why they are no such grid. */
export type ShardGrid =
  | { readonly ok: true; readonly counts: readonly number[] }
  | { readonly ok: false; readonly why: string };

/**
 * Whether shards are all pieces of a grid over an index whose axes are each cut in equal pieces, the
 * last one perhaps shorter: what the axes of a mesh make of it. Equal shards count once, empty ones
 * not at all.
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
  const points = counts.reduce((product, count) => product * count, 1);
  if (points === boxes.size) return { ok: true, counts };
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

/** Why ranges are not what cutting an axis in equal pieces gives. */
function faultOf(axis: Range, ranges: readonly Range[]): string | undefined {
  let at = axis.start;
  for (const { start, stop } of ranges) {
    if (start < at) return "they overlap";
    if (start > at) return `they leave out ${at}:${start}`;
    at = stop;
  }
  if (at !== axis.stop) return `they end at ${at}, not at ${axis.stop}`;
  const lengths = ranges.map(lengthOf);
  const size = lengthOf(axis);
  const equal = chunkLengths(size, Math.ceil(size / Math.max(1, ranges.length)));
  const isEqual = lengths.length === equal.length && lengths.every((each, n) => each === equal[n]);
  return isEqual ? undefined : `their lengths ${lengths.join(", ")} are no equal pieces`;
}
