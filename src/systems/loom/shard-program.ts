import type { Diagnostic } from "#core/diagnostics";
import type { Box } from "#core/indexspace";
import type { Operator } from "#core/ir";
import type { Plan } from "#core/plan";
import { drawnPieces } from "./drawn-pieces.ts";
import type { LoomGraph, LoomNode, OperationNode } from "./graph.ts";
import { withImpliedIndex } from "./implied-index.ts";
import type { PlannedOperation } from "./planned-operation.ts";
import { shardsOver, wholeShard } from "./shard-operation.ts";
import { splitStages } from "./split-stages.ts";

/** A graph with shards, and diagnostics for parts of the plan that could not be written. */
export interface ShardedProgram {
  readonly graph: LoomGraph;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Shards a graph of Operations as a plan runs it: one Application per piece that some device
 * computes, replicas once (loom.md §4.1). A cut summed axis is written in two stages, partial
 * results and their sum (§4.2). A cut that no Application expresses leaves the operation whole,
 * with a diagnostic.
 */
export function shardProgram(
  graph: LoomGraph,
  operations: readonly PlannedOperation[],
  plan: Plan,
): ShardedProgram {
  const planned = new Map(operations.map((operation) => [operation.id, operation]));
  const diagnostics: Diagnostic[] = [];
  const nodes = graph.nodes.flatMap((node): readonly LoomNode[] => {
    if (node.kind !== "Operation") return [node];
    const pieces = operationCut(graph, node, planned.get(node.id), plan, false, diagnostics);
    if (pieces?.kind === "stages") return pieces.nodes;
    return [
      node,
      ...(pieces?.kind === "grid" ? shardsOver(node, pieces.boxes) : [wholeShard(node)]),
    ];
  });
  return { graph: { ...graph, nodes }, diagnostics };
}

/** Form of an operation under a plan: whole, a grid of shards, or two stages of a sum. */
export type OperationCut =
  | { readonly kind: "whole" }
  | { readonly kind: "grid"; readonly boxes: readonly Box[] }
  | { readonly kind: "stages"; readonly nodes: readonly LoomNode[] };

/**
 * How a plan cuts an operation; `undefined`, with a diagnostic, when Loom cannot express the cut.
 *
 * @param hasShards whether it has Applications, which then stay
 */
export function operationCut(
  graph: LoomGraph,
  node: OperationNode,
  operation: PlannedOperation | undefined,
  plan: Plan,
  hasShards: boolean,
  diagnostics: Diagnostic[],
): OperationCut | undefined {
  const { index } = withImpliedIndex(node).tags;
  const own = operation && plan.operators.get(operation.operator.id);
  if (operation === undefined || own === undefined || index === undefined) return { kind: "whole" };
  const cannot = (why: string) => void diagnostics.push(unsaid(operation.operator, why, hasShards));
  const cut = Object.entries(own.strategy.cuts).filter(([, parts]) => parts.length > 0);
  const summed = cut.filter(([name]) => {
    return operation.operator.axes.find((axis) => axis.name === name)?.reduction === "+";
  });
  if (cut.length === 0) return { kind: "whole" };
  const boxes = drawnPieces({ axes: operation.axes, index }, operation.operator, own);
  if (boxes.length === 0) return { kind: "whole" };
  if (summed.length === 0) {
    const lost = cut.find(([name]) => !operation.axes.includes(name));
    if (lost === undefined) return { kind: "grid", boxes };
    cannot(`"${lost[0]}" is no axis of its index`);
    return undefined;
  }
  const stages = splitStages(graph, node, operation, own);
  if (stages.ok) return { kind: "stages", nodes: stages.nodes };
  cannot(stages.why);
  return undefined;
}

function unsaid({ name, span }: Operator, why: string, hasShards: boolean): Diagnostic {
  const left = hasShards
    ? `the Applications of "${name}" stay as they were`
    : `"${name}" is written as one shard`;
  return {
    code: "loom/not-sharded",
    severity: "warning",
    message: `${left}: ${why}`,
    ...(span !== undefined && { span }),
  };
}
