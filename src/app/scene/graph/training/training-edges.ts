import type { Point } from "../../mark.ts";
import type { CanvasNode } from "../canvas.ts";
import { canvasEdge, type RoutedEdge, tieEdge } from "../canvas-parts.ts";
import { canvasSizes, space } from "../canvas-sizes.ts";
import { lanesOf } from "../route-lanes.ts";
import type { LaneBoxes } from "./training-boxes.ts";
import { badgeKey, type TrainingEdge, type TrainingFlow } from "./training-items.ts";
import { laneSizes } from "./training-sizes.ts";

/** Inputs of line routing in a lane; all x count from the lane's left end. */
interface Routed {
  readonly training: TrainingFlow;
  readonly boxes: LaneBoxes;
  /**
   * Left edges of the gradient and update columns; `gradientsEnd` is the right edge of gradients
   * and their badges.
   */
  readonly gradients: number;
  readonly gradientsEnd: number;
  readonly updates: number;
}

/** All lines of a training step. */
export function laneRoutes(routed: Routed): readonly RoutedEdge[] {
  const sorted = sortedEdges(routed);
  return [
    ...sorted.direct,
    ...throughChannel(routed, sorted.left),
    ...acrossToUpdates(routed, sorted.right),
    ...glyphTies(routed),
  ];
}

/** Number of parallel lines at the left of the cards and at the left of the updates. */
export function laneRoom(routed: Routed): { readonly left: number; readonly right: number } {
  const { left, right } = sortedEdges(routed);
  const count = (lanes: readonly number[]) =>
    lanes.reduce((most, lane) => Math.max(most, lane + 1), 0);
  return {
    left: count(trunksOf(routed, left).lanes),
    right: count(crossingsOf(routed, right).lanes),
  };
}

interface Ended {
  readonly edge: TrainingEdge;
  readonly from: CanvasNode;
  readonly to: CanvasNode;
}

interface Sorted {
  /** Lines between a badge and its card, or from one badge to the next. */
  readonly direct: readonly RoutedEdge[];
  /** Lines into gradient cards and their badges. */
  readonly left: readonly Ended[];
  /** Lines into updates and their badges. */
  readonly right: readonly Ended[];
}

function sortedEdges({ training, boxes, updates }: Routed): Sorted {
  const direct: RoutedEdge[] = [];
  const left: Ended[] = [];
  const right: Ended[] = [];
  const neighbours = neighboursOf(boxes);
  for (const edge of training.edges) {
    const [from, to] = [boxes.byKey.get(edge.from), boxes.byKey.get(edge.to)];
    if (from === undefined || to === undefined) continue;
    const x = neighbours(edge.from, edge.to);
    if (x !== undefined) direct.push(upOrDown(from, to, edge, x));
    else if (to.x >= updates) right.push({ edge, from, to });
    else left.push({ edge, from, to });
  }
  return { direct, left, right };
}

function upOrDown(
  from: CanvasNode,
  to: CanvasNode,
  { tensor }: TrainingEdge,
  x: number,
): RoutedEdge {
  const isUp = to.y < from.y;
  const points = isUp
    ? [
        { x, y: from.y },
        { x, y: to.y + to.height },
      ]
    : [
        { x, y: from.y + from.height },
        { x, y: to.y },
      ];
  return canvasEdge(from, to, tensor, points, to.kind !== "redistribution");
}

/**
 * The x of a straight vertical line between two keys: a badge and its card, or neighbouring badges;
 * else `undefined`.
 */
function neighboursOf({
  blocks,
  byKey,
}: LaneBoxes): (from: string, to: string) => number | undefined {
  const places = new Map<
    string,
    { readonly host: string; readonly at: number; readonly side: string }
  >();
  for (const { key, before, behind } of blocks) {
    for (const [side, badges] of [
      ["before", before],
      ["behind", behind],
    ] as const) {
      for (const [at, { redistribution }] of badges.entries()) {
        places.set(badgeKey(redistribution.index), { host: key, at, side });
      }
    }
  }
  const leaving = (key: string) => (byKey.get(key)?.x ?? 0) + laneSizes.leave;
  return (from, to) => {
    const [source, goal] = [places.get(from), places.get(to)];
    if (source?.side === "before" && source.host === to) return leaving(from);
    if (goal?.side === "behind" && goal.host === from) return leaving(to);
    if (source === undefined || goal === undefined || source.host !== goal.host) return undefined;
    if (source.side !== goal.side) return undefined;
    if (source.side === "before" && goal.at === source.at - 1) return leaving(to) - 4;
    if (source.side === "behind" && goal.at === source.at + 1) return leaving(from) - 4;
    return undefined;
  };
}

/**
 * Ports on the left edge of boxes: leaving lines above, entering lines below them, spread evenly.
 */
function portsOf(ended: readonly Ended[], allLeave: boolean) {
  const leaving = new Set(allLeave ? ended.map(({ edge }) => edge.from) : []);
  const entering = new Map<string, string[]>();
  for (const { edge } of ended) {
    const froms = entering.get(edge.to) ?? [];
    if (!froms.includes(edge.from)) froms.push(edge.from);
    entering.set(edge.to, froms);
  }
  return {
    leave: ({ y, kind }: CanvasNode) => y + (kind === "redistribution" ? 6 : 10),
    enter: ({ edge, to }: Ended) => {
      const froms = entering.get(edge.to) ?? [];
      const top = to.y + (leaving.has(edge.to) ? (to.kind === "redistribution" ? 12 : 20) : 8);
      const room = to.y + to.height - 8 - top;
      return froms.length === 1
        ? Math.max(top, to.y + to.height / 2)
        : top + (room * froms.indexOf(edge.from)) / (froms.length - 1);
    },
  };
}

/** Trunks: all lines that leave one box for the channel share one vertical segment. */
function trunksOf(_: Routed, ended: readonly Ended[]) {
  const ports = portsOf(ended, true);
  const trunks = new Map<string, { from: number; to: number }>();
  for (const each of ended) {
    const [start, end] = [ports.leave(each.from), ports.enter(each)];
    const trunk = trunks.get(each.edge.from) ?? { from: start, to: start };
    trunk.from = Math.min(trunk.from, end);
    trunk.to = Math.max(trunk.to, end);
    trunks.set(each.edge.from, trunk);
  }
  const lanes = lanesOf([...trunks.values()]);
  const laneOf = new Map([...trunks.keys()].map((key, at) => [key, lanes[at] ?? 0]));
  return { ports, lanes, laneOf };
}

/** Lines that go up through the channel at the left of the cards. */
function throughChannel(routed: Routed, ended: readonly Ended[]): readonly RoutedEdge[] {
  const { ports, laneOf } = trunksOf(routed, ended);
  return ended.map((each) => {
    const { edge, from, to } = each;
    const x = routed.gradients - laneSizes.tie - laneSizes.line * (laneOf.get(edge.from) ?? 0);
    const [start, end] = [ports.leave(from), ports.enter(each)];
    return canvasEdge(from, to, edge.tensor, [
      { x: from.x, y: start },
      { x, y: start },
      { x, y: end },
      { x: to.x, y: end },
    ]);
  });
}

/** A line from a gradient or a badge to its update. */
interface Crossing extends Ended {
  readonly start: Point;
  readonly end: number;
}

/**
 * Heights at which lines leave the gradients and enter the updates, distinct from each other where
 * possible.
 */
function crossingsOf({ boxes, gradientsEnd }: Routed, ended: readonly Ended[]) {
  const resultsOf = new Map(boxes.blocks.map(({ key, results }) => [key, results.length]));
  const starts = ended.map(({ edge, from }): Point & { readonly node: CanvasNode } => {
    const node = boxes.glyphs.get(`${edge.from} ${edge.tensor}`) ?? from;
    const middle = node.y + node.height / 2;
    const y = node.kind === "stack" ? middle + besideGlyphs(resultsOf.get(edge.from) ?? 0) : middle;
    return { x: Math.min(node.x + node.width, gradientsEnd), y, node };
  });
  const ports = portsOf(ended, false);
  const taken = starts.map(({ y }) => y).sort((a, b) => a - b);
  const crossings = ended.flatMap((each, at): readonly Crossing[] => {
    const start = starts[at];
    if (start === undefined) return [];
    return [{ ...each, from: start.node, start, end: clearOf(taken, ports.enter(each), start.y) }];
  });
  const lanes = lanesOf(
    crossings.map(({ start, end }) => ({
      from: Math.min(start.y, end),
      to: Math.max(start.y, end),
    })),
  );
  return { crossings, lanes };
}

/** Offset (px) from the middle of a folded stack to the gap between its result glyphs. */
function besideGlyphs(count: number): number {
  return count % 2 === 0 ? 0 : (canvasSizes.tensor + space.stack) / 2;
}

/**
 * A height near `wish` that is level with no other line; one of several offsets, else `wish`
 * itself.
 */
function clearOf(taken: readonly number[], wish: number, own: number): number {
  const isFree = (y: number) => nearest(taken, y, own) >= 2;
  for (const by of [0, 3, -3, 5, -5]) if (isFree(wish + by)) return wish + by;
  return wish;
}

/** Distance to the nearest of the sorted heights within 8 px, ignoring `own`. */
function nearest(sorted: readonly number[], y: number, own: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < y - 8) low = middle + 1;
    else high = middle;
  }
  let least = Number.POSITIVE_INFINITY;
  for (let at = low; at < sorted.length && (sorted[at] ?? 0) <= y + 8; at += 1) {
    const other = sorted[at] ?? 0;
    if (other !== own) least = Math.min(least, Math.abs(other - y));
  }
  return least;
}

/** Lines from a gradient to the update of its parameter, through a channel between the columns. */
function acrossToUpdates(routed: Routed, ended: readonly Ended[]): readonly RoutedEdge[] {
  const { crossings, lanes } = crossingsOf(routed, ended);
  return crossings.map(({ edge, from, to, start, end }, at) => {
    const x = routed.updates - laneSizes.tie - laneSizes.line * (lanes[at] ?? 0);
    return canvasEdge(from, to, edge.tensor, [
      { x: start.x, y: start.y },
      { x, y: start.y },
      { x, y: end },
      { x: to.x, y: end },
    ]);
  });
}

/** Ties from cards to the gradients that they produce. */
function glyphTies({ boxes }: Routed): readonly RoutedEdge[] {
  return boxes.blocks.flatMap(({ key, item, results }) => {
    const card = boxes.byKey.get(key);
    if (card === undefined || item === undefined) return [];
    return results.flatMap((tensor): readonly RoutedEdge[] => {
      const glyph = boxes.glyphs.get(`${key} ${tensor}`);
      return glyph === undefined ? [] : [tieEdge(card, glyph, tensor)];
    });
  });
}
