import type { AffineRow, Box, Projection } from "#core/indexspace";
import { slotsOf } from "./document.ts";
import type { ApplicationNode, OperationNode, ProjectionMap, SelectionMap } from "./graph.ts";

/**
 * Adds an implied index, one index point per cell, to an operation that lacks one and only reads,
 * or only writes, a single selection. Such operations let data into or out of a graph. All others
 * are returned unchanged.
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

/** A shard's piece of an implied index: the cells that it selects. */
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
