import { type Box, cutBox, type Projection, projectBox } from "#core/indexspace";
import {
  type ApplicationNode,
  type LoomGraph,
  type LoomId,
  loomId,
  type OperationNode,
  type ProjectionMap,
  type Selection,
  type SelectionMap,
} from "./graph.ts";
import { withImpliedIndex } from "./implied-index.ts";
import { uuidFrom } from "./uuid.ts";

/**
 * A graph with shards of one operation: one Application per piece of a grid over its index.
 *
 * @param lengths per index axis the lengths of the pieces, which add up to it
 * @returns the same graph if the operation has no index or no signature
 * @internal
 */
export function shardOperation(
  graph: LoomGraph,
  id: LoomId,
  lengths: readonly (readonly number[])[],
): LoomGraph {
  const operation = graph.nodes.find((node) => node.id === id);
  if (operation?.kind !== "Operation" || operation.tags.index === undefined) return graph;
  const shards = shardsOver(operation, cutBox(operation.tags.index, lengths));
  return { ...graph, nodes: [...graph.nodes, ...shards] };
}

/** Shards of an operation over pieces of its index; empty without an index and a signature. */
export function shardsOver(
  operation: OperationNode,
  pieces: readonly Box[],
): readonly ApplicationNode[] {
  const { index, signature } = withImpliedIndex(operation).tags;
  if (index === undefined || signature === undefined) return [];
  return pieces.map((piece, at): ApplicationNode => {
    const select = (map: SelectionMap, projections: ProjectionMap) =>
      selectionsOf(map, projections, (projection) => projectBox(projection, piece));
    return {
      ...shardBase(operation, at),
      inputs: select(operation.inputs, signature.inputs),
      outputs: select(operation.outputs, signature.outputs),
      tags: operation.tags.index === undefined ? {} : { index: piece },
    };
  });
}

/** A single shard that covers an operation. */
export function wholeShard(operation: OperationNode): ApplicationNode {
  const { inputs, outputs, tags } = operation;
  const { index } = tags;
  return {
    ...shardBase(operation, 0),
    inputs,
    outputs,
    tags: index === undefined ? {} : { index },
  };
}

function shardBase({ id }: OperationNode, at: number) {
  const kind = "Application" as const;
  return { kind, id: loomId(uuidFrom(`shard ${at} of ${id}`)), operationId: id };
}

function selectionsOf(
  map: SelectionMap,
  projections: ProjectionMap,
  rangeOf: (projection: Projection) => Selection["range"],
): SelectionMap {
  const entries = [...map].map(([name, selections]) => {
    const list = projections.get(name) ?? [];
    const parts = selections.map(({ tensorId }, at): Selection => {
      return { tensorId, range: rangeOf(list[at] ?? []) };
    });
    return [name, parts] as const;
  });
  return new Map(entries);
}
