import { type Box, intersect, volumeOf } from "#core/indexspace";

/** Key of a list of boxes: equal for the same boxes in any order. */
export function boxesKey(boxes: readonly Box[]): string {
  const [first] = boxes;
  if (boxes.length === 1 && first !== undefined) return volumeOf(first) > 0 ? textOf(first) : "";
  const filled = boxes.filter((box) => volumeOf(box) > 0);
  return filled.map(textOf).sort().join(" ");
}

function textOf(box: Box): string {
  let text = "";
  for (const { start, stop } of box) text += text === "" ? `${start}-${stop}` : `,${start}-${stop}`;
  return text;
}

/** Pairwise intersections of two lists of boxes; the boxes of each list are disjoint. */
export function overlaps(a: readonly Box[], b: readonly Box[]): readonly Box[] {
  const found: Box[] = [];
  for (const one of a) {
    for (const other of b) {
      // Among many devices nearly all pairs of boxes are apart; those allocate nothing.
      const common = areApart(one, other) ? undefined : intersect(one, other);
      if (common !== undefined) found.push(common);
    }
  }
  return found;
}

function areApart(a: Box, b: Box): boolean {
  for (let dim = 0; dim < a.length; dim++) {
    const [range, other] = [a[dim], b[dim]];
    if (range === undefined || other === undefined) return true;
    if (range.start >= other.stop || other.start >= range.stop) return true;
  }
  return false;
}

/** Number of elements of disjoint boxes. */
export function volumes(boxes: readonly Box[]): number {
  return boxes.reduce((total, box) => total + volumeOf(box), 0);
}
