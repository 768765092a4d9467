import type { Compiled } from "#compile";
import type { ListRow } from "./canvas.ts";

/** The same graph as a list in program order. */
export function listOf(compiled: Compiled): readonly ListRow[] {
  return compiled.graph.operators.map((operator) => ({
    kind: "operator",
    id: `operator-${operator.id}`,
    operator: operator.id,
  }));
}
