import { type Box, intersect, volumeOf } from "#core/indexspace";

/** A text that two lists of boxes share exactly when they hold the same, in whatever order. */
export function boxesKey(boxes: readonly Box[]): string {
  const filled = boxes.filter((box) => volumeOf(box) > 0);
  const texts = filled.map((box) => box.map(({ start, stop }) => `${start}-${stop}`).join(","));
  return texts.sort().join(" ");
}

/** The parts that two lists of boxes share, where the boxes of each are disjoint. */
export function overlaps(a: readonly Box[], b: readonly Box[]): readonly Box[] {
  return a.flatMap((one) =>
    b.flatMap((other) => {
      const common = intersect(one, other);
      return common === undefined ? [] : [common];
    }),
  );
}

/** Elements of boxes that are disjoint. */
export function volumes(boxes: readonly Box[]): number {
  return boxes.reduce((total, box) => total + volumeOf(box), 0);
}
