import type { AffineRow, Box, Projection } from "#core/indexspace";
import { slotsOf } from "./document.ts";
import type { ApplicationNode, OperationNode, ProjectionMap, SelectionMap } from "./graph.ts";

/**
 * An operation that has no index of its own but only reads, or only writes, one selection, with one
 * index point per cell: where data enters or leaves a graph every cell stands for itself. All others
 * are given back as they are.
 */
export function withImpliedIndex(operation: OperationNode): OperationNode {
  const index = impliedIndex(operation);
  if (index === undefined) return operation;
  const projection = index.map((_, dim): AffineRow => {
    return { coefficients: index.map((__, axis) => (axis === dim ? 1 : 0)), offset: 0, extent: 1 };
  });
  const { inputs, outputs } = operation;
  const signature = {
    inputs: projected(inputs, projection),
    outputs: projected(outputs, projection),
  };
  return { ...operation, tags: { ...operation.tags, index, signature } };
}

/** The piece of an implied index that a shard is: the cells that it selects. */
export function impliedPiece(operation: OperationNode, shard: ApplicationNode): Box | undefined {
  if (impliedIndex(operation) === undefined) return undefined;
  const [slot, ...others] = slotsOf(shard);
  return others.length === 0 ? slot?.selection.range : undefined;
}

function impliedIndex(operation: OperationNode): Box | undefined {
  const { index, signature } = operation.tags;
  if (index !== undefined || signature !== undefined) return undefined;
  const [slot, ...others] = slotsOf(operation);
  return others.length === 0 ? slot?.selection.range : undefined;
}

function projected(map: SelectionMap, projection: Projection): ProjectionMap {
  return new Map([...map].map(([name, list]) => [name, list.map(() => projection)]));
}
