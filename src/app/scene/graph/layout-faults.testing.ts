import type { Point, Rect } from "../mark.ts";
import type { CanvasEdge, CanvasLayout, CanvasNode } from "./canvas.ts";
import { createWindow } from "./canvas-window.ts";
import { labelRooms } from "./label-room.ts";

/** The faults of a drawing in words; empty if there are none. */
export function layoutFaults(layout: CanvasLayout): readonly string[] {
  return [
    ...boxFaults(layout),
    ...lineFaults(layout),
    ...sharedLines(layout),
    ...badgeFaults(layout),
    ...nameFaults(layout),
  ];
}

function boxFaults({ nodes, width, height }: CanvasLayout): readonly string[] {
  const page = { x: 0, y: 0, width, height };
  const outside = nodes.flatMap((box) => (isWithin(box, page) ? [] : [`${box.id} is outside`]));
  const overlapping = nodes.flatMap((one, at) =>
    nodes
      .slice(at + 1)
      .flatMap((other) => (meet(one, other) ? [`${one.id} overlaps ${other.id}`] : [])),
  );
  return [...outside, ...overlapping];
}

function lineFaults({ nodes, edges }: CanvasLayout): readonly string[] {
  const byId = new Map(nodes.map((box) => [box.id, box]));
  return edges.flatMap((edge) => {
    const { id, from, to, points } = edge;
    const isLoose = !touches(byId.get(from), points[0]) || !touches(byId.get(to), points.at(-1));
    const wrong = segmentsOf(edge).flatMap((segment) => [
      ...(segment.width > 0 && segment.height > 0 ? [`${id} is slanted`] : []),
      ...nodes
        .filter((box) => box.id !== from && box.id !== to && meet(box, segment))
        .map((box) => `${id} crosses ${box.id}`),
    ]);
    return isLoose ? [`${id} is loose`, ...wrong] : wrong;
  });
}

/** Lines of different values that coincide over some length. */
function sharedLines({ edges }: CanvasLayout): readonly string[] {
  const segments = edges.flatMap((edge) => segmentsOf(edge).map((segment) => ({ edge, segment })));
  return segments.flatMap(({ edge, segment }, at) =>
    segments
      .slice(at + 1)
      .filter((other) => other.edge.from !== edge.from)
      .filter((other) => sharedLength(segment, other.segment) >= 1)
      .map((other) => `${edge.id} runs on ${other.edge.id}`),
  );
}

/** Badges that have neither an incoming line nor a glyph above. */
function badgeFaults({ nodes, edges }: CanvasLayout): readonly string[] {
  const reached = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const isBelow = (badge: CanvasNode) =>
    nodes.some(
      ({ kind, x, y, height }) =>
        (kind === "tensor" || kind === "redistribution") &&
        x === badge.x &&
        Math.abs(badge.y - y - height) < 8,
    );
  return nodes.flatMap((node) =>
    node.kind === "redistribution" && !reached.has(node.id) && !isBelow(node)
      ? [`${node.id} is on no line`]
      : [],
  );
}

/** Names that, enlarged for distant zoom, extend onto foreign boxes or lines. */
function nameFaults(layout: CanvasLayout): readonly string[] {
  const { nodes, edges } = layout;
  const roomOf = labelRooms(createWindow(layout));
  const names = nodes.flatMap((node) => {
    if (node.kind !== "tensor") return [];
    const { left, right } = roomOf(node);
    const band = { y: node.y + node.height / 2 - 16, height: 32 };
    return [
      { node, ...band, x: node.x - left, width: left },
      { node, ...band, x: node.x + node.width, width: right },
    ];
  });
  const lines = edges.flatMap(segmentsOf);
  return names.flatMap((name, at) => [
    ...nodes.flatMap((box) => (meet(name, box) ? [`${name.node.id}'s name on ${box.id}`] : [])),
    ...(lines.some((line) => meet(name, line)) ? [`${name.node.id}'s name on a line`] : []),
    ...names
      .slice(at + 1)
      .flatMap((other) => (meet(name, other) ? [`${name.node.id} and ${other.node.id}`] : [])),
  ]);
}

function meet(a: Rect, b: Rect): boolean {
  const slack = 0.01;
  return (
    a.x + slack < b.x + b.width &&
    b.x + slack < a.x + a.width &&
    a.y + slack < b.y + b.height &&
    b.y + slack < a.y + a.height
  );
}

function isWithin(box: Rect, page: Rect): boolean {
  return (
    box.x >= page.x &&
    box.y >= page.y &&
    box.x + box.width <= page.width &&
    box.y + box.height <= page.height
  );
}

function touches(box: Rect | undefined, point: Point | undefined): boolean {
  if (box === undefined || point === undefined) return false;
  const { x, y, width, height } = box;
  const inside =
    point.x >= x - 1 && point.x <= x + width + 1 && point.y >= y - 1 && point.y <= y + height + 1;
  const isDeep =
    point.x > x + 1 && point.x < x + width - 1 && point.y > y + 1 && point.y < y + height - 1;
  return inside && !isDeep;
}

function segmentsOf({ points }: CanvasEdge): readonly Rect[] {
  return points.slice(1).map((to, at) => {
    const from = points[at] ?? to;
    return {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(from.x - to.x),
      height: Math.abs(from.y - to.y),
    };
  });
}

/** Length over which two segments coincide; crossings count 0. */
function sharedLength(a: Rect, b: Rect): number {
  const overlap = (from: number, length: number, other: number, otherLength: number) =>
    Math.min(from + length, other + otherLength) - Math.max(from, other);
  const isDown = a.width === 0 && b.width === 0 && Math.abs(a.x - b.x) < 1;
  if (isDown) return overlap(a.y, a.height, b.y, b.height);
  const isAcross = a.height === 0 && b.height === 0 && Math.abs(a.y - b.y) < 1;
  return isAcross ? overlap(a.x, a.width, b.x, b.width) : 0;
}
