import type { Point, Rect } from "../mark.ts";
import type { CanvasEdge, CanvasLayout, CanvasNode } from "./canvas.ts";

/**
 * Spatial index of the canvas: finds the boxes and lines in an area without visiting all of them.
 */
export interface CanvasWindow {
  readonly nodesIn: (area: Rect) => readonly CanvasNode[];
  readonly edgesIn: (area: Rect) => readonly CanvasEdge[];
  readonly nodeAt: (point: Point) => CanvasNode | undefined;
}

/** Height (px) above which a line is tested individually instead of being in the sorted index. */
const longLine = 2000;

/**
 * Sorts the boxes and lines of a layout by height once; a query then costs in proportion to its
 * result.
 */
export function createWindow({ nodes, edges }: CanvasLayout): CanvasWindow {
  const boxes = bandsOf(nodes.map((node) => ({ item: node, ...rangeOf(node) })));
  const lines = edges.map((edge) => ({ item: edge, ...reachOf(edge) }));
  const short = bandsOf(lines.filter(({ from, to }) => to - from <= longLine));
  const long = lines.filter(({ from, to }) => to - from > longLine);
  const nodesIn = (area: Rect) =>
    boxes(area.y, area.y + area.height).filter(
      ({ x, width }) => x < area.x + area.width && area.x < x + width,
    );
  return {
    nodesIn,
    edgesIn: ({ y, height }) => [
      ...short(y, y + height),
      ...long.flatMap(({ item, from, to }) => (from < y + height && y < to ? [item] : [])),
    ],
    nodeAt: ({ x, y }) => nodesIn({ x, y, width: 1, height: 1 })[0],
  };
}

interface Reach<Item> {
  readonly item: Item;
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the items that reach into a range, scanning from the lowest possible start to the range's
 * end.
 */
function bandsOf<Item>(all: readonly Reach<Item>[]): (from: number, to: number) => readonly Item[] {
  const sorted = all.toSorted((a, b) => a.from - b.from);
  const highest = sorted.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  return (from, to) => {
    const found: Item[] = [];
    for (let at = firstFrom(sorted, from - highest); at < sorted.length; at += 1) {
      const each = sorted[at];
      if (each === undefined || each.from >= to) break;
      if (each.to > from) found.push(each.item);
    }
    return found;
  };
}

/** Index of the first item that begins at or below `y`. */
function firstFrom(sorted: readonly Reach<unknown>[], y: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.from ?? y) < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rangeOf({ y, height }: Rect) {
  return { from: y, to: y + height };
}

function reachOf({ points }: CanvasEdge) {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { y } of points) {
    from = Math.min(from, y - 1);
    to = Math.max(to, y + 1);
  }
  return { from, to };
}
