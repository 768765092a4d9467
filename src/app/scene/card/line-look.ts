import type { CanvasEdge } from "../graph/canvas.ts";
import type { Point } from "../mark.ts";

/** The stroke widths of lines between boxes, in CSS pixels, with an arrow and without (ties). */
export const lineLook = { tone: "edge", arrow: 1.5, tie: 1.2 } as const;

/** Measures of an arrow's head, in widths of its line. */
const headShape = { length: 6.5, half: 2.8, beyond: 0.35 } as const;

/** The look of the frame around an open block, in CSS pixels. */
export const frameLook = { tone: "line", width: 1, radius: 8 } as const;

/**
 * The look of a column's head: the line that divides it from the column before, and `inset`, the
 * distance from that line to the words, in CSS pixels.
 */
export const headLook = { tone: "faint", width: 1, inset: 12 } as const;

/** Width of the clear margin around the letters of a range on a line, in CSS pixels. */
export const rangeHalo = 3;

/** Width of a line between boxes, in CSS pixels. */
export function lineWidth({ hasArrow }: Pick<CanvasEdge, "hasArrow">): number {
  return hasArrow ? lineLook.arrow : lineLook.tie;
}

/** The corners of an arrow's head for a line that runs along x and ends at 0. */
export function headCorners(width: number): readonly Point[] {
  const { length, half, beyond } = headShape;
  const back = beyond - length;
  return [
    { x: beyond * width, y: 0 },
    { x: back * width, y: -half * width },
    { x: back * width, y: half * width },
  ];
}

/**
 * The corners of an arrow's head at the end of a line; the direction is a unit vector along an
 * axis, `[0, 1]` for a line from above.
 */
export function arrowCorners(
  end: Point,
  [dx, dy]: readonly [number, number],
  width: number,
): readonly Point[] {
  return headCorners(width).map(({ x, y }) => ({
    x: end.x + x * dx - y * dy,
    y: end.y + x * dy + y * dx,
  }));
}

/** The corners of the arrow at the end of a line between boxes; `undefined` for a tie. */
export function edgeArrow({ points, hasArrow }: Pick<CanvasEdge, "points" | "hasArrow">) {
  const [before, end] = [points.at(-2), points.at(-1)];
  if (!hasArrow || before === undefined || end === undefined) return undefined;
  return arrowCorners(end, directionOf(before, end), lineLook.arrow);
}

function directionOf(from: Point, to: Point): readonly [number, number] {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return Math.abs(dx) > Math.abs(dy) ? [Math.sign(dx), 0] : [0, Math.sign(dy)];
}

/** Position of a text, and the end at which it is anchored. */
export interface RangePlace extends Point {
  readonly anchor: "start" | "end";
}

/**
 * Position of a line's range text: beside the card that reads or produces the range; `undefined`
 * for a line without points.
 */
export function rangePlace({ points, to, rangeAt, hasArrow }: CanvasEdge): RangePlace | undefined {
  if (rangeAt !== undefined) return { ...rangeAt, anchor: "start" };
  const isInput = hasArrow && to.startsWith("operator-");
  const end = isInput ? points.at(-1) : points[0];
  const near = isInput ? points.at(-2) : points[1];
  if (end === undefined || near === undefined) return undefined;
  const isFlat = end.y === near.y;
  return {
    x: end.x + (!isFlat ? 7 : isInput ? -9 : 5),
    y: end.y + (isFlat ? -5 : isInput ? -10 : 14),
    anchor: isFlat && isInput ? "end" : "start",
  };
}
