import type { CanvasEdge, CanvasNode } from "./canvas.ts";
import type { CanvasWindow } from "./canvas-window.ts";
import type { Point, Rect } from "./mark.ts";
import { rememberedFor } from "./remembered.ts";

/** How far words may reach beyond their box at either side, in units of the canvas. */
export interface LabelRoom {
  readonly left: number;
  readonly right: number;
}

/** Words that reach farther than this beyond their box no longer seem to belong to it. */
const farthest = 240;
/** Between words and what stands next to them. */
const clear = 10;
/** Words take this much at most above and below the middle of their box. */
const half = 16;

/**
 * The room beside a box of the canvas up to the nearest box or line. Where the neighbour is a tensor
 * too, each has half of what lies between: its words may reach out as well.
 */
export const labelRooms: (index: CanvasWindow) => (node: CanvasNode) => LabelRoom = rememberedFor(
  (index: CanvasWindow) => rememberedFor((node: CanvasNode) => roomBeside(index, node)),
);

function roomBeside(index: CanvasWindow, node: CanvasNode): LabelRoom {
  const band = { y: node.y + node.height / 2 - half, height: 2 * half };
  // The name of a neighbour may reach as far.
  const seen = 2 * farthest;
  const right = node.x + node.width;
  const area = { ...band, x: node.x - seen, width: node.width + 2 * seen };
  const taken = [
    ...index.nodesIn(area).flatMap((other) => (other.id === node.id ? [] : [boxOf(other)])),
    ...index.edgesIn(area).flatMap((edge) => linesIn(edge, band)),
  ];
  const before = taken.filter(({ from }) => from < node.x).map((each) => within(each, node.x));
  const behind = taken.filter(({ to }) => to > right).map((each) => within(each, right));
  return {
    left: Math.min(farthest, node.x, ...before),
    right: Math.min(farthest, ...behind),
  };
}

/** What of a height is taken from one x to another, and whether its words may reach out. */
interface Taken {
  readonly from: number;
  readonly to: number;
  readonly isTensor: boolean;
}

/** How much of the room between an edge of the box and what is taken may be used. */
function within({ from, to, isTensor }: Taken, edge: number): number {
  if (from <= edge && edge <= to) return 0;
  const gap = Math.min(Math.abs(edge - from), Math.abs(edge - to));
  return Math.max(0, (isTensor ? gap / 2 : gap) - clear);
}

function boxOf({ x, width, kind }: CanvasNode): Taken {
  return { from: x, to: x + width, isTensor: kind === "tensor" };
}

/** The parts of a line that run through a height. */
function linesIn({ points }: CanvasEdge, band: Pick<Rect, "y" | "height">): readonly Taken[] {
  return points.flatMap((end, at) => {
    const start = points[at - 1];
    return start !== undefined && crosses(start, end, band)
      ? [{ from: Math.min(start.x, end.x), to: Math.max(start.x, end.x), isTensor: false }]
      : [];
  });
}

function crosses(a: Point, b: Point, { y, height }: Pick<Rect, "y" | "height">): boolean {
  return Math.min(a.y, b.y) <= y + height && Math.max(a.y, b.y) >= y;
}
