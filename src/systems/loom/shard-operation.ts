import { cutBox, type Projection, projectBox } from "#core/indexspace";
import {
  type ApplicationNode,
  type LoomGraph,
  type LoomId,
  loomId,
  type ProjectionMap,
  type Selection,
  type SelectionMap,
} from "./graph.ts";
import { uuidFrom } from "./uuid.ts";

/**
 * A graph with shards of one operation: one Application per piece of a grid over its index.
 *
 * @param lengths per index axis the lengths of the pieces, which add up to it
 * @returns the same graph where the operation has no index or no signature
 */
export function shardOperation(
  graph: LoomGraph,
  id: LoomId,
  lengths: readonly (readonly number[])[],
): LoomGraph {
  const operation = graph.nodes.find((node) => node.id === id);
  if (operation?.kind !== "Operation") return graph;
  const { index, signature } = operation.tags;
  if (index === undefined || signature === undefined) return graph;
  const shards = cutBox(index, lengths).map((piece, at): ApplicationNode => {
    const select = (map: SelectionMap, projections: ProjectionMap) =>
      selectionsOf(map, projections, (projection) => projectBox(projection, piece));
    return {
      kind: "Application",
      id: loomId(uuidFrom(`shard ${at} of ${id}`)),
      operationId: id,
      inputs: select(operation.inputs, signature.inputs),
      outputs: select(operation.outputs, signature.outputs),
      tags: { index: piece },
    };
  });
  return { ...graph, nodes: [...graph.nodes, ...shards] };
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
