import { type Box, intersect, volumeOf } from "./range.ts";

/**
 * The cells of a box that lie outside another of equal rank, as boxes that share none.
 * @internal
 */
export function boxWithout(box: Box, other: Box): readonly Box[] {
  const common = intersect(box, other);
  if (common === undefined) return volumeOf(box) > 0 ? [box] : [];
  const rest: Box[] = [];
  let inner = box;
  for (const [dim, range] of box.entries()) {
    const middle = common[dim] ?? range;
    const before = { start: range.start, stop: middle.start };
    const after = { start: middle.stop, stop: range.stop };
    for (const side of [before, after]) {
      if (side.start < side.stop) rest.push(inner.with(dim, side));
    }
    inner = inner.with(dim, middle);
  }
  return rest;
}

/** Cells of `boxes` outside all of `others`, as boxes. */
export function boxesWithout(boxes: readonly Box[], others: readonly Box[]): readonly Box[] {
  return others.reduce<readonly Box[]>(
    (left, other) => left.flatMap((box) => boxWithout(box, other)),
    boxes.filter((box) => volumeOf(box) > 0),
  );
}
