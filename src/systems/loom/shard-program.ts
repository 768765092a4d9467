import type { Diagnostic } from "#core/diagnostics";
import { type Box, volumeOf } from "#core/indexspace";
import type { Operator } from "#core/ir";
import { indexPieces, type Plan } from "#core/plan";
import type { LoomGraph, LoomId, LoomNode, OperationNode } from "./graph.ts";
import type { PlannedOperation } from "./planned-operation.ts";
import { shardsOver, wholeShard } from "./shard-operation.ts";
import { splitStages } from "./split-stages.ts";

/** A graph with shards, and what of a plan could not be said. */
export interface ShardedProgram {
  readonly graph: LoomGraph;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A graph of Operations as a plan runs it: one Application per piece that some device computes,
 * replicas once (loom.md §4.1). A summed axis that is cut is written in two stages, partial results
 * and their sum (§4.2); a cut that no Application can say leaves the operation whole, and is said.
 * Applications that stand in the graph already stay where the plan does not cut their operation.
 */
export function shardProgram(
  graph: LoomGraph,
  operations: readonly PlannedOperation[],
  plan: Plan,
): ShardedProgram {
  const planned = new Map(operations.map((operation) => [operation.id, operation]));
  const hasShards = new Set(
    graph.nodes.flatMap((node) => (node.kind === "Application" ? [node.operationId] : [])),
  );
  const diagnostics: Diagnostic[] = [];
  const resharded = new Set<LoomId>();
  const made = graph.nodes.flatMap((node): readonly LoomNode[] => {
    if (node.kind !== "Operation") return [node];
    const pieces = piecesOf(graph, node, planned.get(node.id), plan, diagnostics);
    if (pieces === undefined && hasShards.has(node.id)) return [node];
    resharded.add(node.id);
    if (pieces === undefined) return [node, wholeShard(node)];
    return pieces.kind === "stages" ? pieces.nodes : [node, ...shardsOver(node, pieces.boxes)];
  });
  const old = new Set(graph.nodes);
  const nodes = made.filter(
    (node) => !(node.kind === "Application" && old.has(node) && resharded.has(node.operationId)),
  );
  return { graph: { ...graph, nodes }, diagnostics };
}

type Pieces =
  | { readonly kind: "grid"; readonly boxes: readonly Box[] }
  | { readonly kind: "stages"; readonly nodes: readonly LoomNode[] };

/** How a plan cuts an operation; `undefined` where it does not, or where that cannot be said. */
function piecesOf(
  graph: LoomGraph,
  node: OperationNode,
  operation: PlannedOperation | undefined,
  plan: Plan,
  diagnostics: Diagnostic[],
): Pieces | undefined {
  const { index } = node.tags;
  const own = operation && plan.operators.get(operation.operator.id);
  if (operation === undefined || own === undefined || index === undefined) return undefined;
  const cut = Object.entries(own.strategy.cuts).filter(([, parts]) => parts.length > 0);
  const summed = cut.filter(([name]) => {
    return operation.operator.axes.find((axis) => axis.name === name)?.reduction === "+";
  });
  if (cut.length === 0) return undefined;
  const boxes = distinctBoxes(operation, indexPieces(operation.operator, own).flat(), node);
  if (boxes.length === 0) return undefined;
  if (summed.length === 0) {
    const lost = cut.find(([name]) => !operation.axes.includes(name));
    if (lost === undefined) return { kind: "grid", boxes };
    diagnostics.push(unsaid(operation.operator, `"${lost[0]}" is no axis of its index`));
    return undefined;
  }
  const stages = splitStages(graph, node, operation, own);
  if (stages.ok) return { kind: "stages", nodes: stages.value };
  const [fault] = stages.diagnostics;
  diagnostics.push(unsaid(operation.operator, fault?.message ?? ""));
  return undefined;
}

/** The boxes of the index that some device computes, each once, in Loom's own coordinates. */
function distinctBoxes(
  { operator, axes }: PlannedOperation,
  pieces: readonly Box[],
  { tags: { index = [] } }: OperationNode,
): readonly Box[] {
  const places = axes.map((name) => operator.axes.findIndex((axis) => axis.name === name));
  const boxes = pieces
    .filter((box) => volumeOf(box) > 0)
    .map((box) =>
      places.map((place, at) => {
        const from = index[at]?.start ?? 0;
        const { start, stop } = box[place] ?? { start: 0, stop: 1 };
        return { start: from + start, stop: from + stop };
      }),
    );
  return [...new Map(boxes.map((box) => [JSON.stringify(box), box])).values()];
}

function unsaid({ name, span }: Operator, why: string): Diagnostic {
  return {
    code: "loom/not-sharded",
    severity: "warning",
    message: `"${name}" is written as one shard: ${why}`,
    ...(span !== undefined && { span }),
  };
}
