import type { TensorId } from "#core/ir";
import type { Arrival } from "./arrangement.ts";
import type { CanvasEdge, CanvasNode } from "./canvas.ts";
import { type CanvasParts, canvasEdge } from "./canvas-parts.ts";
import { canvasSizes, laneEdges } from "./canvas-rows.ts";
import { flowKey } from "./flow.ts";
import { lanesOf } from "./lanes.ts";
import type { Point } from "./mark.ts";
import { sideEdges } from "./side-edges.ts";

const laneStep = 10;
const firstLane = 14;
/** Lanes stand closer together where there are many of them. */
const lanesRoom = 1600;
const entryInset = 14;
const entryStep = 12;
const entryRoom = 110;

/** All lines: straight down, from the side, through the lanes, and the ties to the results. */
export function canvasEdges(parts: CanvasParts): readonly CanvasEdge[] {
  return [
    ...straightEdges(parts),
    ...sideEdges(parts),
    ...throughLanes(parts),
    ...resultTies(parts),
  ];
}

function straightEdges({ arrangement, rows, boxes, columns }: CanvasParts): readonly CanvasEdge[] {
  const byId = new Map(boxes.nodes.map((node) => [node.id, node]));
  const x = columns.cardX + canvasSizes.card.width / 2;
  const down = (from: CanvasNode, to: CanvasNode, tensor: TensorId) =>
    canvasEdge(
      from,
      to,
      tensor,
      [
        { x, y: from.y + from.height },
        { x, y: to.y },
      ],
      to.kind !== "redistribution",
    );
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

function throughLanes(parts: CanvasParts): readonly CanvasEdge[] {
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
  const lines = edges.flatMap((edge): readonly CanvasEdge[] => {
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
  { rows, boxes, arrangement }: CanvasParts,
  entries: (arrival: Arrival, y: number) => readonly Point[],
): readonly CanvasEdge[] {
  const rowOf = new Map(
    arrangement.gaps.flatMap(({ arrivals }, row) => arrivals.map((arrival) => [arrival, row])),
  );
  return rows.arrivals.flatMap(({ item, y }): readonly CanvasEdge[] => {
    if (item.badge === undefined || !item.entersCard) return [];
    const from = boxes.byFlow.get(`badge ${item.badge}`);
    const to = boxes.byFlow.get(`card ${rowOf.get(item)}`);
    if (from === undefined || to === undefined) return [];
    const start = { x: from.x + from.width, y };
    return [canvasEdge(from, to, item.edge.tensor, [start, ...entries(item, y)])];
  });
}

/** How a trunk leaves its box, and from where to where it runs. */
function trunkOf(parts: CanvasParts, key: string, ends: readonly number[]): Trunk | undefined {
  const box = parts.boxes.byFlow.get(key);
  if (box === undefined || ends.length === 0) return undefined;
  const forkY = parts.rows.forks.get(key);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height };
  const leaves =
    forkY === undefined
      ? [{ x: box.x, y: box.y + box.height / 2 }]
      : [middle, { x: middle.x, y: forkY }];
  const start = leaves.at(-1)?.y ?? 0;
  const from = ends.reduce((least, y) => Math.min(least, y), start);
  return { leaves, from, to: ends.reduce((most, y) => Math.max(most, y), start) };
}

/** Where arriving lines turn down into their card: the upper a line, the farther right. */
function entryPlaces({ rows, arrangement, columns, boxes }: CanvasParts) {
  const places = new Map<Arrival, { readonly x: number; readonly cardY: number }>();
  arrangement.gaps.forEach(({ arrivals }, row) => {
    const entering = arrivals.filter((arrival) => arrival.entersCard);
    const step = Math.min(entryStep, entryRoom / Math.max(entering.length, 1));
    const cardY = boxes.byFlow.get(`card ${row}`)?.y ?? rows.height;
    entering.forEach((arrival, at) => {
      const x = columns.cardX + entryInset + (entering.length - 1 - at) * step;
      places.set(arrival, { x, cardY });
    });
  });
  return (arrival: Arrival, y: number): readonly Point[] => {
    const place = places.get(arrival);
    if (place === undefined) return [];
    return [
      { x: place.x, y },
      { x: place.x, y: place.cardY },
    ];
  };
}

/** Short ties without arrow from a card to the glyphs of what it makes. */
function resultTies({ rows, columns, boxes }: CanvasParts): readonly CanvasEdge[] {
  const byId = new Map(boxes.nodes.map((node) => [node.id, node]));
  const right = columns.cardX + canvasSizes.card.width;
  return rows.right.flatMap(({ item, row, y }) => {
    const [card, glyph] = [boxes.byFlow.get(`card ${row}`), byId.get(`tensor-${item}`)];
    if (card === undefined || glyph === undefined) return [];
    const middle = y + glyph.height / 2;
    const leave = Math.min(Math.max(middle, card.y + 8), card.y + card.height - 8);
    const bend = right + (columns.rightX - right) / 2;
    const points = [
      { x: right, y: leave },
      { x: bend, y: leave },
      { x: bend, y: middle },
      { x: columns.rightX, y: middle },
    ];
    return [canvasEdge(card, glyph, item, points, false)];
  });
}
