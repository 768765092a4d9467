import type { Compiled } from "#compile";
import { stepRunsOf } from "../folded.ts";
import { arrangementOf } from "./arrangement.ts";
import { withEntryBadges } from "./badge-placement.ts";
import { type CanvasLayout, forwardOnly, type LaneHead } from "./canvas.ts";
import { canvasColumns } from "./canvas-columns.ts";
import { canvasEdges } from "./canvas-edges.ts";
import { type CanvasNodes, canvasNodes } from "./canvas-nodes.ts";
import type { RoutedEdge } from "./canvas-parts.ts";
import { canvasSizes } from "./canvas-sizes.ts";
import { entryPorts } from "./entry-ports.ts";
import { flowOf } from "./flow.ts";
import { outsetsAbove } from "./glyph-routes.ts";
import { inStages } from "./in-stages.ts";
import { roundedPath } from "./polyline.ts";
import { inOneColumn, ranksOf } from "./ranks.ts";
import { badgesByIndex } from "./redistribution-badge.ts";
import { edgeRanges } from "./selected-ranges.ts";
import { canvasRows } from "./stack-rows.ts";
import { type LaneParts, laneBeside, laneOf } from "./training/training-lane.ts";
import { laneSizes } from "./training/training-sizes.ts";

const noneOpen: ReadonlySet<string> = new Set();

/**
 * Positions of everything on the canvas.
 *
 * Cards follow each other downwards as values flow, parallel branches side by side, the first input
 * on top. Parameters and further inputs are at the left of their first reader and results at the
 * right (above and below it where cards are side by side); redistributions are on their lines. A
 * value used farther down runs between the columns if there is room, else in lanes at the left.
 * Equal blocks are one stack, except the runs whose keys are in `open`. Training operators are
 * beside the program, each at the height of its forward operator, unless `open` has the key
 * `forwardOnly`.
 *
 * Boxes never overlap and lines cross no box; the work grows with the number of boxes and lines.
 */
export function layoutGraph(program: Compiled, open: ReadonlySet<string> = noneOpen): CanvasLayout {
  const compiled = inStages(program);
  const flow = flowOf(compiled, open);
  const ranking = compiled.imported === undefined ? ranksOf(flow) : inOneColumn(flow);
  const arrangement = arrangementOf(flow, ranking);
  const badges = badgesByIndex(compiled);
  const lane = open.has(forwardOnly) ? undefined : laneOf(compiled, flow, ranking);
  const rows = canvasRows(
    flow,
    arrangement,
    lane && { head: laneSizes.head, heightAt: (rank) => lane.cells.get(rank)?.height ?? 0 },
  );
  const columns = canvasColumns(compiled, { flow, arrangement }, rows, badges);
  const cards = canvasNodes(compiled, { flow, ranking, rows, columns, badges });
  const ports = entryPorts(arrangement, cards);
  const boxes = withEntryBadges(cards, rows, columns, ports, badges);
  const outsets = outsetsAbove(rows);
  const edges = canvasEdges({ flow, arrangement, rows, columns, boxes, ports, outsets });
  const ranged = withRanges(compiled, boxes, edges);
  const { bands, height } = rows;
  const { nodes } = boxes;
  const beside = lane && laneBeside(compiled, lane, { flow, badges, bands, nodes, height });
  const drawn = framed(beside === undefined ? boxes : withLane(boxes, beside), {
    edges: beside === undefined ? ranged : [...ranged, ...beside.edges],
    heads: beside?.heads ?? [],
    height,
  });
  return { ...drawn, stepRuns: stepRunsOf(compiled.program) };
}

/**
 * Adds the selected tensor ranges to edges: beside a badge on the line, and once if a result has a
 * line of its own.
 */
function withRanges(
  compiled: Compiled,
  { nodes }: CanvasNodes,
  edges: readonly RoutedEdge[],
): readonly RoutedEdge[] {
  if (compiled.imported === undefined) return edges;
  const ranges = edgeRanges(compiled);
  const badges = new Map(
    nodes.flatMap((node) => (node.kind === "redistribution" ? [[node.id, node] as const] : [])),
  );
  const key = ({ from, tensor }: RoutedEdge) => `${from} ${tensor}`;
  const elsewhere = new Set(edges.filter(({ to }) => !badges.has(to)).map(key));
  return edges.map((edge) => {
    const range = ranges.of(edge);
    if (range === undefined || (badges.has(edge.to) && elsewhere.has(key(edge)))) return edge;
    const badge = badges.get(edge.from);
    const isBelow = badge !== undefined && edge.points[0]?.y === badge.y + badge.height;
    const said = { ...edge, range, ...(ranges.isQuiet(edge) && { isQuiet: true as const }) };
    if (!isBelow) return said;
    const rangeAt = { x: badge.x + badge.width + 6, y: badge.y + badge.height / 2 + 4 };
    return { ...said, rangeAt };
  });
}

interface Framed {
  readonly edges: readonly RoutedEdge[];
  readonly heads: readonly LaneHead[];
  readonly height: number;
}

/** All boxes with those of the training lane; frames of open blocks are widened over the lane. */
function withLane(boxes: CanvasNodes, { nodes, heads }: LaneParts): CanvasNodes {
  const end = heads.reduce((most, { x, width }) => Math.max(most, x + width), 0) + 8;
  const frames = boxes.frames.map((frame) => ({ ...frame, width: end - frame.x }));
  return { ...boxes, nodes: [...boxes.nodes, ...nodes], frames };
}

/** Shifts the drawing right so that its leftmost box or line keeps the margin. */
function framed(
  { nodes, frames }: CanvasNodes,
  { edges, heads, height }: Framed,
): Omit<CanvasLayout, "stepRuns"> {
  const { margin } = canvasSizes;
  const boxes = [...nodes, ...frames];
  let left = boxes.reduce((least, { x }) => Math.min(least, x), 0);
  let right = boxes.reduce((most, { x, width }) => Math.max(most, x + width), 0);
  for (const { x } of edges.flatMap(({ points }) => points)) {
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  const by = margin - left;
  const moved = <Box extends { readonly x: number }>(box: Box) => ({ ...box, x: box.x + by });
  return {
    width: right + by + margin,
    height,
    nodes: nodes.map(moved),
    frames: frames.map(moved),
    heads: heads.map(moved),
    edges: edges.map((edge) => {
      const points = edge.points.map(moved);
      const rangeAt = edge.rangeAt && moved(edge.rangeAt);
      return { ...edge, points, path: roundedPath(points), ...(rangeAt && { rangeAt }) };
    }),
  };
}
