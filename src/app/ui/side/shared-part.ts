import type { Box } from "#core/indexspace";

/** The intersection of two lists of boxes, and its number of cells. */
export function intersectionOf(
  first: readonly Box[],
  second: readonly Box[],
): { readonly boxes: readonly Box[]; readonly cells: number } {
  const boxes = first.flatMap((a) => second.flatMap((b) => commonBox(a, b)));
  return { boxes, cells: boxes.reduce((sum, box) => sum + cellsOf(box), 0) };
}

/** The intersection of two boxes, if there is one. */
function commonBox(a: Box, b: Box): readonly Box[] {
  const box = a.map(({ start, stop }, dim) => ({
    start: Math.max(start, b[dim]?.start ?? 0),
    stop: Math.min(stop, b[dim]?.stop ?? 0),
  }));
  return box.every(({ start, stop }) => start < stop) ? [box] : [];
}

function cellsOf(box: Box): number {
  return box.reduce((product, { start, stop }) => product * (stop - start), 1);
}
