import type { Compiled } from "#compile";
import { arrangementOf } from "./arrangement.ts";
import type { CanvasEdge, CanvasLayout, CanvasNode } from "./canvas.ts";
import { canvasColumns } from "./canvas-columns.ts";
import { canvasEdges } from "./canvas-edges.ts";
import { canvasNodes } from "./canvas-nodes.ts";
import { canvasRows, canvasSizes } from "./canvas-rows.ts";
import { flowOf } from "./flow.ts";
import { roundedPath } from "./polyline.ts";
import { badgesByIndex } from "./redistribution-badge.ts";

/**
 * Positions of everything on the canvas: cards down the middle in program order below the first
 * input, parameters and further inputs at the left of their first reader, results at the right,
 * redistributions on their lines. Values that are used farther away run through lanes at the left.
 * Boxes never overlap and lines cross no box.
 */
export function layoutGraph(compiled: Compiled): CanvasLayout {
  const flow = flowOf(compiled);
  const arrangement = arrangementOf(flow);
  const badges = badgesByIndex(compiled);
  const outputs = compiled.graph.operators.map((operator) =>
    operator.outputs.map((operand) => operand.tensor),
  );
  const rows = canvasRows(flow, arrangement, outputs);
  const columns = canvasColumns(compiled, rows, badges);
  const boxes = canvasNodes(compiled, rows, columns, badges);
  const edges = canvasEdges({ flow, arrangement, rows, columns, boxes });
  return framed(boxes.nodes, edges, rows.height);
}

/** Moves everything right, so that the outermost lane or badge keeps the margin. */
function framed(
  nodes: readonly CanvasNode[],
  edges: readonly CanvasEdge[],
  height: number,
): CanvasLayout {
  const { margin } = canvasSizes;
  const corners = edges.flatMap(({ points }) => points.map(({ x }) => x));
  const left = Math.min(0, ...nodes.map(({ x }) => x), ...corners);
  const right = Math.max(0, ...nodes.map(({ x, width }) => x + width));
  const by = margin - left;
  return {
    width: right + by + margin,
    height,
    nodes: nodes.map((node) => ({ ...node, x: node.x + by })),
    edges: edges.map((edge) => {
      const points = edge.points.map(({ x, y }) => ({ x: x + by, y }));
      return { ...edge, points, path: roundedPath(points) };
    }),
  };
}
