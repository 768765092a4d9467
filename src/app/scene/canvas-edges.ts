import type { TensorId } from "#core/ir";
import type { CanvasNode } from "./canvas.ts";
import { type CanvasParts, canvasEdge, type RoutedEdge } from "./canvas-parts.ts";
import { dropEdges } from "./drops.ts";
import { edgesAbove, tiesBelow } from "./edges-abreast.ts";
import { flowKey } from "./flow.ts";
import type { Arrival } from "./gap.ts";
import { laneEdges } from "./lane-edges.ts";
import { lanesOf } from "./lanes.ts";
import type { Point } from "./mark.ts";
import { sideEdges } from "./side-edges.ts";

const laneStep = 10;
const firstLane = 14;
/** Lanes stand closer together where there are many of them. */
const lanesRoom = 1600;

/** All lines: straight down, from the side, through the lanes, and the ties to the results. */
export function canvasEdges(parts: CanvasParts): readonly RoutedEdge[] {
  return [
    ...straightEdges(parts),
    ...sideEdges(parts),
    ...edgesAbove(parts),
    ...hopEdges(parts),
    ...dropEdges(parts),
    ...throughLanes(parts),
    ...resultTies(parts),
    ...tiesBelow(parts),
  ];
}

function straightEdges({ arrangement, rows, boxes }: CanvasParts): readonly RoutedEdge[] {
  const byId = new Map(boxes.nodes.map((node) => [node.id, node]));
  const down = (from: CanvasNode, to: CanvasNode, tensor: TensorId) => {
    const x = from.x + from.width / 2;
    return canvasEdge(
      from,
      to,
      tensor,
      [
        { x, y: from.y + from.height },
        { x, y: to.y },
      ],
      to.kind !== "redistribution",
    );
  };
  const ends = rows.ends.flatMap(({ item }) => {
    const from = boxes.byFlow.get(`badge ${item}`);
    const to = byId.get(`output-${item}`);
    return from === undefined || to?.kind !== "output" ? [] : [down(from, to, to.tensor)];
  });
  const lines = arrangement.straight.flatMap((edge) => {
    const [from, to] = [boxes.byFlow.get(flowKey(edge.from)), boxes.byFlow.get(flowKey(edge.to))];
    return from === undefined || to === undefined ? [] : [down(from, to, edge.tensor)];
  });
  return [...lines, ...ends];
}

/** One trunk of lines: everything that leaves one box for the lanes shares it. */
interface Trunk {
  readonly leaves: readonly Point[];
  readonly from: number;
  readonly to: number;
}

function throughLanes(parts: CanvasParts): readonly RoutedEdge[] {
  const { flow, arrangement, rows, boxes } = parts;
  const edges = laneEdges(flow, arrangement);
  const arrivals = new Map(rows.arrivals.map((at) => [at.item.edge, at]));
  const entries = entryPlaces(parts);
  const endsByKey = new Map<string, number[]>();
  for (const edge of edges) {
    const [key, y] = [flowKey(edge.from), arrivals.get(edge)?.y];
    if (y === undefined) continue;
    const ends = endsByKey.get(key);
    if (ends === undefined) endsByKey.set(key, [y]);
    else ends.push(y);
  }
  const trunks = [...endsByKey].flatMap(([key, ends]) => {
    const trunk = trunkOf(parts, key, ends);
    return trunk === undefined ? [] : [{ key, trunk }];
  });
  const lanes = lanesOf(trunks.map(({ trunk }) => trunk));
  const most = lanes.reduce((high, lane) => Math.max(high, lane), 0);
  const step = Math.min(laneStep, lanesRoom / Math.max(most, 1));
  const laneX = new Map(trunks.map(({ key }, at) => [key, -firstLane - (lanes[at] ?? 0) * step]));
  const leaves = new Map(trunks.map(({ key, trunk }) => [key, trunk.leaves]));
  const lines = edges.flatMap((edge): readonly RoutedEdge[] => {
    const key = flowKey(edge.from);
    const [from, to, at] = [
      boxes.byFlow.get(key),
      boxes.byFlow.get(flowKey(edge.to)),
      arrivals.get(edge),
    ];
    const x = laneX.get(key);
    if (from === undefined || to === undefined || at === undefined || x === undefined) return [];
    const out = leaves.get(key) ?? [];
    const turn = [
      { x, y: out.at(-1)?.y ?? at.y },
      { x, y: at.y },
    ];
    const entry = at.item.badge === undefined ? entries(at.item, at.y) : [{ x: to.x, y: at.y }];
    return [canvasEdge(from, to, edge.tensor, [...out, ...turn, ...entry])];
  });
  return [...lines, ...badgeEntries(parts, entries)];
}

/** From a badge on an arriving line on into its card. */
function badgeEntries(
  { rows, boxes }: CanvasParts,
  entries: (arrival: Arrival, y: number) => readonly Point[],
): readonly RoutedEdge[] {
  return rows.arrivals.flatMap(({ item, y }): readonly RoutedEdge[] => {
    if (item.badge === undefined || item.card === undefined) return [];
    const from = boxes.byFlow.get(`badge ${item.badge}`);
    const to = boxes.byFlow.get(`card ${item.card}`);
    if (from === undefined || to === undefined) return [];
    const start = { x: from.x + from.width, y };
    return [canvasEdge(from, to, item.edge.tensor, [start, ...entries(item, y)])];
  });
}

/** How a trunk leaves its box, and from where to where it runs. */
function trunkOf(parts: CanvasParts, key: string, ends: readonly number[]): Trunk | undefined {
  const box = parts.boxes.byFlow.get(key);
  if (box === undefined || ends.length === 0) return undefined;
  const leaves = leavesOf(box, parts.rows.forks.get(key), parts.outsets.get(key) ?? 0);
  const start = leaves.at(-1)?.y ?? 0;
  const from = ends.reduce((least, y) => Math.min(least, y), start);
  return { leaves, from, to: ends.reduce((most, y) => Math.max(most, y), start) };
}

/** From a box out at its left, or down from its middle, or, above a card, up along its left. */
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

/** Where arriving lines turn down into their card: the upper a line, the farther right. */
function entryPlaces({ arrangement, boxes, ports }: CanvasParts) {
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
  return (arrival: Arrival, y: number): readonly Point[] => {
    const place = places.get(arrival);
    if (place === undefined) return [];
    return [
      { x: place.x, y },
      { x: place.x, y: place.cardY },
    ];
  };
}

/** From the end of a chain along the gap below it into a card of another column. */
function hopEdges({ arrangement, boxes, rows, ports }: CanvasParts): readonly RoutedEdge[] {
  return arrangement.gaps.flatMap(({ hops }) =>
    hops.flatMap((hop): readonly RoutedEdge[] => {
      const key = flowKey(hop.from);
      const [from, to] = [boxes.byFlow.get(key), boxes.byFlow.get(flowKey(hop.to))];
      const [y, port] = [rows.forks.get(key), ports.ofHop.get(hop)];
      if (from === undefined || to === undefined || y === undefined || port === undefined)
        return [];
      const x = from.x + from.width / 2;
      const corners = [
        { x, y: from.y + from.height },
        { x, y },
        { x: port, y },
        { x: port, y: to.y },
      ];
      return [canvasEdge(from, to, hop.tensor, corners)];
    }),
  );
}

/** Short ties without arrow from a card to the glyphs of what it makes. */
function resultTies({ rows, boxes }: CanvasParts): readonly RoutedEdge[] {
  const byId = new Map(boxes.nodes.map((node) => [node.id, node]));
  return rows.right.flatMap(({ item, row, y }) => {
    const [card, glyph] = [boxes.byFlow.get(`card ${row}`), byId.get(`tensor-${item}`)];
    if (card === undefined || glyph === undefined) return [];
    const middle = y + glyph.height / 2;
    const leave = Math.min(Math.max(middle, card.y + 8), card.y + card.height - 8);
    const right = card.x + card.width;
    const bend = right + (glyph.x - right) / 2;
    const points = [
      { x: right, y: leave },
      { x: bend, y: leave },
      { x: bend, y: middle },
      { x: glyph.x, y: middle },
    ];
    return [canvasEdge(card, glyph, item, points, false)];
  });
}
