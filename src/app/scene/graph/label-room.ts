import type { Point, Rect } from "../mark.ts";
import { rememberedFor } from "../remembered.ts";
import type { CanvasEdge, CanvasNode } from "./canvas.ts";
import type { CanvasWindow } from "./canvas-window.ts";

/** The distance that words may reach beyond their box at either side, in canvas units. */
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
  const middle = node.y + node.height / 2;
  const band = { y: middle - half, height: 2 * half };
  const right = node.x + node.width;
  // The name of a neighbour may reach as far.
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

/** What of a height is taken from one x to another. */
interface Taken {
  readonly from: number;
  readonly to: number;
  /** Whose words may reach out too: at the same height, or at one that is only partly the same. */
  readonly tensor?: "level" | "aslant";
}

/** The room up to the nearest of what is taken, of which a tensor has its half. */
function roomUpTo(taken: readonly Taken[], gapTo: (each: Taken) => number): number {
  const gaps = taken.map((each) => ({ gap: Math.max(0, gapTo(each)), tensor: each.tensor }));
  const firm = Math.min(...gaps.flatMap(({ gap, tensor }) => (tensor === undefined ? gap : [])));
  const rooms = gaps.map(({ gap, tensor }) =>
    // Names at one height end at what stands between them.
    tensor === undefined || (tensor === "level" && gap > firm) ? Math.max(gap, firm) : gap / 2,
  );
  return Math.max(0, Math.min(farthest, Math.min(...rooms) - clear));
}

function boxOf({ x, y, width, height, kind }: CanvasNode, middle: number): Taken {
  const taken = { from: x, to: x + width };
  if (kind !== "tensor") return taken;
  return { ...taken, tensor: Math.abs(y + height / 2 - middle) < 1 ? "level" : "aslant" };
}

/** The parts of a line that run through a height. */
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
