import type { Compiled } from "#compile";
import type { CanvasLayout } from "./canvas.ts";

/** Positions of everything that the canvas shows. */
export function layoutGraph(compiled: Compiled): CanvasLayout {
  const nodes = compiled.graph.operators.map((operator, row) => ({
    id: `operator-${operator.id}`,
    kind: "operator" as const,
    operator: operator.id,
    x: 160,
    y: row * 120,
    width: 300,
    height: 56,
  }));
  return { width: 640, height: nodes.length * 120, nodes, edges: [] };
}
