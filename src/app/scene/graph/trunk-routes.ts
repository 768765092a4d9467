import { append } from "#core/records";
import type { Point } from "../mark.ts";
import type { CanvasNode } from "./canvas.ts";
import { type CanvasParts, canvasEdge, type RoutedEdge } from "./canvas-parts.ts";
import { type FlowEdge, flowKey } from "./flow.ts";
import { laneEdges } from "./lane-routes.ts";
import { nearTrunks } from "./near-routes.ts";
import type { Arrival } from "./rank-gap.ts";
import { lanesOf } from "./route-lanes.ts";

const laneStep = 10;
const firstLane = 14;
/** Total width (px) of the lanes; with many lanes they are closer together. */
const lanesRoom = 1600;

/** A trunk: all lines from one box to farther cards share one vertical segment. */
interface Trunk {
  readonly key: string;
  readonly leaves: readonly Point[];
  readonly from: number;
  readonly to: number;
  readonly lines: readonly TrunkLine[];
}

/** A line that turns off its trunk at `y` towards the card or badge that it enters. */
interface TrunkLine {
  readonly edge: FlowEdge;
  readonly y: number;
  readonly entry: readonly Point[];
}

/**
 * Lines to nodes beyond the next rank: each trunk goes down between the columns if there is room,
 * else through the lanes at the left.
 *
 * @param short all lines that are already routed
 */
export function trunkEdges(
  parts: CanvasParts,
  short: readonly RoutedEdge[],
): readonly RoutedEdge[] {
  const { boxes } = parts;
  const entries = entryPlaces(parts);
  const onward = badgeEntries(parts, entries);
  const trunks = trunksOf(parts, entries);
  const near = isOneColumn(parts)
    ? new Map<string, number>()
    : nearTrunks(trunks, { boxes: boxes.nodes, lines: [...short, ...onward] });
  const xOf = new Map([...lanePlaces(trunks.filter(({ key }) => !near.has(key))), ...near]);
  const lines = trunks.flatMap(({ key, leaves, lines }) =>
    lines.flatMap(({ edge, y, entry }): readonly RoutedEdge[] => {
      const [from, to, x] = [
        boxes.byFlow.get(key),
        boxes.byFlow.get(flowKey(edge.to)),
        xOf.get(key),
      ];
      if (from === undefined || to === undefined || x === undefined) return [];
      const turn = [
        { x, y: leaves.at(-1)?.y ?? y },
        { x, y },
      ];
      return [canvasEdge(from, to, edge.tensor, [...leaves, ...turn, ...entry])];
    }),
  );
  return [...lines, ...onward];
}

/** Whether all cards are in one column; the lanes are then near and easy to follow. */
function isOneColumn({ arrangement }: CanvasParts): boolean {
  return arrangement.ranking.columnCount === 1;
}

/** All trunks: the exit from their box and the heights at which their lines turn off. */
function trunksOf(parts: CanvasParts, entries: Entries): readonly Trunk[] {
  const { flow, arrangement, rows, boxes } = parts;
  const arrivals = new Map(rows.arrivals.map((at) => [at.item.edge, at]));
  const byKey = new Map<string, TrunkLine[]>();
  for (const edge of laneEdges(flow, arrangement)) {
    const [key, to, at] = [
      flowKey(edge.from),
      boxes.byFlow.get(flowKey(edge.to)),
      arrivals.get(edge),
    ];
    if (at === undefined || to === undefined) continue;
    const entry = at.item.badge === undefined ? entries(at.item, at.y) : [{ x: to.x, y: at.y }];
    append(byKey, key, { edge, y: at.y, entry });
  }
  return [...byKey].flatMap(([key, lines]) => {
    const box = boxes.byFlow.get(key);
    if (box === undefined) return [];
    const leaves = leavesOf(box, rows.forks.get(key), parts.outsets.get(key) ?? 0);
    const start = leaves.at(-1)?.y ?? 0;
    const from = lines.reduce((least, { y }) => Math.min(least, y), start);
    return [
      { key, leaves, lines, from, to: lines.reduce((most, { y }) => Math.max(most, y), start) },
    ];
  });
}

/** The x of trunks in the lanes at the left of the drawing, by flow key. */
function lanePlaces(trunks: readonly Trunk[]): ReadonlyMap<string, number> {
  const lanes = lanesOf(trunks);
  const most = lanes.reduce((high, lane) => Math.max(high, lane), 0);
  const step = Math.min(laneStep, lanesRoom / Math.max(most, 1));
  return new Map(trunks.map(({ key }, at) => [key, -firstLane - (lanes[at] ?? 0) * step]));
}

/** The corners from the point where a line turns off its trunk at `y` into its card. */
type Entries = (arrival: Arrival, y: number) => readonly Point[];

/** Lines from a badge on an arriving line into its card. */
function badgeEntries({ rows, boxes }: CanvasParts, entries: Entries): readonly RoutedEdge[] {
  return rows.arrivals.flatMap(({ item, y }): readonly RoutedEdge[] => {
    if (item.badge === undefined || item.card === undefined) return [];
    const from = boxes.byFlow.get(`badge ${item.badge}`);
    const to = boxes.byFlow.get(`card ${item.card}`);
    if (from === undefined || to === undefined) return [];
    const start = { x: from.x + from.width, y };
    return [canvasEdge(from, to, item.edge.tensor, [start, ...entries(item, y)])];
  });
}

/**
 * The exit of a box: to the left, or down from its middle, or, for a glyph above a card, up along
 * its left.
 */
function leavesOf(box: CanvasNode, forkY: number | undefined, outset: number): readonly Point[] {
  const side = { x: box.x, y: box.y + box.height / 2 };
  if (forkY === undefined) return [side];
  if (forkY < box.y) {
    const x = box.x - outset;
    return [side, { x, y: side.y }, { x, y: forkY }];
  }
  const x = box.x + box.width / 2;
  return [
    { x, y: box.y + box.height },
    { x, y: forkY },
  ];
}

/**
 * Entry corners of arriving lines, which turn down into their card; the upper the line, the farther
 * right.
 */
function entryPlaces({ arrangement, boxes, ports }: CanvasParts): Entries {
  const places = new Map<Arrival, { readonly x: number; readonly cardY: number }>();
  for (const { arrivals } of arrangement.gaps) {
    for (const arrival of arrivals) {
      const { card, badge, edge } = arrival;
      if (card === undefined) continue;
      const goal = boxes.byFlow.get(badge === undefined ? flowKey(edge.to) : `card ${card}`);
      const x = ports.ofArrival.get(arrival);
      if (goal !== undefined && x !== undefined) places.set(arrival, { x, cardY: goal.y });
    }
  }
  return (arrival, y) => {
    const place = places.get(arrival);
    if (place === undefined) return [];
    return [
      { x: place.x, y },
      { x: place.x, y: place.cardY },
    ];
  };
}
