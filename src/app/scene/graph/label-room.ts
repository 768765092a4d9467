import type { Point, Rect } from "../mark.ts";
import { rememberedFor } from "../remembered.ts";
import type { CanvasEdge, CanvasNode } from "./canvas.ts";
import type { CanvasWindow } from "./canvas-window.ts";

/** Distance that the words of a box may extend beyond its left and right edge, in canvas units. */
export interface LabelRoom {
  readonly left: number;
  readonly right: number;
}

/** Largest overhang; words that reach farther no longer seem to belong to their box. */
const farthest = 240;
/** Clear distance between words and their neighbour. */
const clear = 10;
/** Half the height of the words around the middle of their box. */
const half = 16;

/**
 * Free width beside a box, up to the nearest box or line. If the neighbour is a tensor too, each
 * gets half the gap, since its words may extend as well.
 */
export const labelRooms: (index: CanvasWindow) => (node: CanvasNode) => LabelRoom = rememberedFor(
  (index: CanvasWindow) => rememberedFor((node: CanvasNode) => roomBeside(index, node)),
);

function roomBeside(index: CanvasWindow, node: CanvasNode): LabelRoom {
  const middle = node.y + node.height / 2;
  const band = { y: middle - half, height: 2 * half };
  const right = node.x + node.width;
  // A neighbour's name may extend just as far.
  const seen = 2 * farthest;
  const area = { ...band, x: node.x - seen, width: node.width + 2 * seen };
  const taken = [
    ...index.nodesIn(area).flatMap((other) => (other.id === node.id ? [] : [boxOf(other, middle)])),
    ...index.edgesIn(area).flatMap((edge) => linesIn(edge, band)),
  ];
  const before = taken.filter(({ from }) => from < node.x);
  const behind = taken.filter(({ to }) => to > right);
  return {
    left: Math.min(
      node.x,
      roomUpTo(before, ({ to }) => node.x - to),
    ),
    right: roomUpTo(behind, ({ from }) => from - right),
  };
}

/** An x interval at the height of the words that a box or line occupies. */
interface Taken {
  readonly from: number;
  readonly to: number;
  /**
   * Set for a tensor, whose words may extend too: centred at the same height, or at one that
   * overlaps partly.
   */
  readonly tensor?: "level" | "aslant";
}

/** Room up to the nearest occupied interval; the gap to a tensor counts half. */
function roomUpTo(taken: readonly Taken[], gapTo: (each: Taken) => number): number {
  const gaps = taken.map((each) => ({ gap: Math.max(0, gapTo(each)), tensor: each.tensor }));
  const firm = Math.min(...gaps.flatMap(({ gap, tensor }) => (tensor === undefined ? gap : [])));
  const rooms = gaps.map(({ gap, tensor }) =>
    // Names at the same height end at the box or line between them.
    tensor === undefined || (tensor === "level" && gap > firm) ? Math.max(gap, firm) : gap / 2,
  );
  return Math.max(0, Math.min(farthest, Math.min(...rooms) - clear));
}

function boxOf({ x, y, width, height, kind }: CanvasNode, middle: number): Taken {
  const taken = { from: x, to: x + width };
  if (kind !== "tensor") return taken;
  return { ...taken, tensor: Math.abs(y + height / 2 - middle) < 1 ? "level" : "aslant" };
}

/** The x intervals of the line segments that cross a height band. */
function linesIn({ points }: CanvasEdge, band: Pick<Rect, "y" | "height">): readonly Taken[] {
  return points.flatMap((end, at) => {
    const start = points[at - 1];
    return start !== undefined && crosses(start, end, band)
      ? [{ from: Math.min(start.x, end.x), to: Math.max(start.x, end.x) }]
      : [];
  });
}

function crosses(a: Point, b: Point, { y, height }: Pick<Rect, "y" | "height">): boolean {
  return Math.min(a.y, b.y) <= y + height && Math.max(a.y, b.y) >= y;
}
