import { type Box, intersect, lengthOf, type Range, sameBox } from "./range.ts";

/** Cells that two boxes of a list share, by their positions in it. */
export interface Overlap {
  readonly first: number;
  readonly second: number;
  readonly cells: Box;
}

/** How a list of boxes covers a target box. */
export interface Coverage {
  /** Positions of the boxes that hold a cell outside the target. */
  readonly outside: readonly number[];
  readonly overlaps: readonly Overlap[];
  /** Cells of the target that lie in no box, as boxes that share none. */
  readonly gaps: readonly Box[];
}

/**
 * Coverage of a target by boxes of the same rank. Boxes are compared one by one: in a sum of
 * volumes an overlap could hide a gap.
 *
 * @param limit largest number of overlaps, and of gaps, in the lists; their order is fixed
 */
export function coverageOf(target: Box, boxes: readonly Box[], limit = 16): Coverage {
  const outside = boxes.flatMap((box, at) => (isInside(box, target) ? [] : [at]));
  const filled = boxes.filter((box) => !isEmpty(box));
  const gaps = isEmpty(target) ? [] : gapsIn(target, filled, 0, limit);
  return { outside, overlaps: overlapsOf(boxes, limit), gaps };
}

/**
 * Whether boxes are a partition of the target: none outside, no overlap, no gap.
 * @internal
 */
export function isExactCover(target: Box, boxes: readonly Box[]): boolean {
  const { outside, overlaps, gaps } = coverageOf(target, boxes, 1);
  return outside.length === 0 && overlaps.length === 0 && gaps.length === 0;
}

/**
 * Cells shared by boxes of equal rank, pair by pair: for tiles of neighbouring pieces this is their
 * halo.
 *
 * @param limit largest number of pairs in the list
 */
export function overlapsOf(
  boxes: readonly Box[],
  limit = Number.POSITIVE_INFINITY,
): readonly Overlap[] {
  const order = [...boxes.keys()]
    .filter((at) => !isEmpty(boxes[at] ?? []))
    .sort((a, b) => startOf(boxes[a]) - startOf(boxes[b]) || a - b);
  const overlaps: Overlap[] = [];
  let open: number[] = [];
  for (const at of order) {
    const box = boxes[at] ?? [];
    open = open.filter((other) => stopOf(boxes[other]) > startOf(box));
    for (const other of open) {
      const cells = intersect(boxes[other] ?? [], box);
      if (cells === undefined) continue;
      overlaps.push({ first: Math.min(at, other), second: Math.max(at, other), cells });
      if (overlaps.length >= limit) return inOrder(overlaps);
    }
    open.push(at);
  }
  return inOrder(overlaps);
}

function inOrder(overlaps: readonly Overlap[]): readonly Overlap[] {
  return [...overlaps].sort((a, b) => a.first - b.first || a.second - b.second);
}

// The gaps of a target from one axis on. Between two neighbouring ends of boxes along that axis the
// same boxes count, so each such slab is a question with one axis less.
function gapsIn(target: Box, boxes: readonly Box[], axis: number, limit: number): readonly Box[] {
  const range = target[axis];
  if (range === undefined) return boxes.length === 0 ? [[]] : [];
  const slabs: Slab[] = [];
  let count = 0;
  let open: readonly Box[] = [];
  const coming = [...boxes].sort((a, b) => rangeAt(b, axis).start - rangeAt(a, axis).start);
  for (const slab of slabsOf(range, boxes, axis)) {
    const inside = open.filter((box) => rangeAt(box, axis).stop > slab.start);
    for (let next = coming.at(-1); next !== undefined; next = coming.at(-1)) {
      if (rangeAt(next, axis).start > slab.start) break;
      if (rangeAt(next, axis).stop > slab.start) inside.push(next);
      coming.pop();
    }
    open = inside;
    const rest = gapsIn(target, inside, axis + 1, limit - count);
    const before = slabs.at(-1);
    if (before !== undefined && sameBoxes(before.rest, rest)) {
      slabs.splice(-1, 1, { range: { start: before.range.start, stop: slab.stop }, rest });
    } else {
      slabs.push({ range: slab, rest });
      count += rest.length;
    }
    if (count >= limit) break;
  }
  return slabs.flatMap((slab) => slab.rest.map((box): Box => [slab.range, ...box]));
}

interface Slab {
  readonly range: Range;
  readonly rest: readonly Box[];
}

function slabsOf(range: Range, boxes: readonly Box[], axis: number): readonly Range[] {
  const ends = boxes.flatMap((box) => [rangeAt(box, axis).start, rangeAt(box, axis).stop]);
  const within = ends.filter((end) => range.start < end && end < range.stop);
  const cuts = [...new Set([range.start, ...within, range.stop])].sort((a, b) => a - b);
  return cuts.slice(1).map((stop, at): Range => ({ start: cuts[at] ?? range.start, stop }));
}

function sameBoxes(a: readonly Box[], b: readonly Box[]): boolean {
  return a.length === b.length && a.every((box, at) => sameBox(box, b[at] ?? []));
}

function isInside(box: Box, target: Box): boolean {
  if (isEmpty(box)) return true;
  return box.every((range, axis) => holdsRange(rangeAt(target, axis), range));
}

function holdsRange(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.stop <= outer.stop;
}

function isEmpty(box: Box): boolean {
  return box.some((range) => lengthOf(range) <= 0);
}

function rangeAt(box: Box, axis: number): Range {
  return box[axis] ?? { start: 0, stop: 1 };
}

// A box of rank 0 is one point; its start is 0.
function startOf(box: Box | undefined): number {
  return rangeAt(box ?? [], 0).start;
}

function stopOf(box: Box | undefined): number {
  return rangeAt(box ?? [], 0).stop;
}
