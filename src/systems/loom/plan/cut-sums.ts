import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { blockCount, type Part } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { Document } from "#language/document";
import type { GraphReading } from "#systems/system/graph";
import type { LoomGraph } from "../graph.ts";
import { inTwoStages } from "../split-stages.ts";
import { annotationOf } from "../to-dimops.ts";
import { writeNodes } from "../write-loom.ts";

/**
 * Diagnostics where a plan cuts a summed axis. A LoomGraph has no partial sums, but two operations
 * express the same: partial results and their sum (loom.md §4.2). The fix writes them.
 */
export function cutSums(
  graph: LoomGraph,
  reading: GraphReading,
  { graph: { operators }, requests }: Document,
): readonly Diagnostic[] {
  const all = new Map(operators.map((operator) => [operator.id, operator]));
  return [...requests.operators].flatMap(([id, { strategy }]) => {
    const operator = all.get(id);
    const cut = operator?.axes.find(({ name, reduction }) => {
      return reduction === "+" && (fieldOf(strategy.cuts, name) ?? []).length > 0;
    });
    if (operator === undefined || cut === undefined) return [];
    return cutSum(graph, reading, operator, cut.name, fieldOf(strategy.cuts, cut.name) ?? []);
  });
}

function cutSum(
  graph: LoomGraph,
  reading: GraphReading,
  operator: Operator,
  axis: string,
  parts: readonly Part[],
): readonly Diagnostic[] {
  const view = reading.nodes.find((node) => {
    return node.kind === "Operation" && node.operator === operator.id;
  });
  const node = graph.nodes.find(({ id }) => id === view?.id);
  if (view === undefined || node?.kind !== "Operation") return [];
  const bound = annotationOf(node)?.bound;
  const count = blockCount(parts);
  const stages = bound && inTwoStages(graph, node, bound, { axis, count, title: operator.name });
  const edit = stages?.ok ? { ...view.whole, text: writeNodes(stages.nodes) } : undefined;
  const fix = edit && { title: `Split "${axis}" in two stages`, edits: [edit] };
  return [
    {
      code: "loom/sum-is-cut",
      severity: "info",
      message: `"${axis}" of "${operator.name}" is summed and cut: the pieces make partial sums, for which a LoomGraph has no word; partial results and their sum, as two operations, say the same`,
      span: view.span,
      ...(fix !== undefined && { fixes: [fix] }),
    },
  ];
}
