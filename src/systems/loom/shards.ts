import type { Box } from "#core/indexspace";
import { groupedBy } from "#core/records";
import type { IssueContext } from "#systems/system/graph";
import { type LoomDocument, nodesOf, type Slot, slotsOf } from "./document.ts";
import type { ApplicationNode, LoomId, OperationNode } from "./graph.ts";
import { printRange } from "./print-range.ts";

/** The applications of each operation, by id. */
export function shardsByOperation(
  document: LoomDocument,
): ReadonlyMap<LoomId, readonly ApplicationNode[]> {
  return groupedBy(nodesOf(document, "Application"), (application) => application.operationId);
}

/** A selection of an operation, with the range of each shard in it. */
export interface ShardedSlot {
  readonly slot: Slot;
  readonly shards: readonly { readonly id: LoomId; readonly range: Box }[];
}

/** Slots of an operation with their shards' ranges; shards that lack the slot are left out. */
export function shardedSlots(
  operation: OperationNode,
  shards: readonly ApplicationNode[],
): readonly ShardedSlot[] {
  return slotsOf(operation).map((slot) => ({
    slot,
    shards: shards.flatMap((shard) => {
      const range = shard[slot.side].get(slot.name)?.[slot.position]?.range;
      return range === undefined ? [] : [{ id: shard.id, range }];
    }),
  }));
}

/** The ranges of the shards, as Loom's issues show them. */
export function shardContext({ shards }: ShardedSlot): IssueContext {
  const data = Object.fromEntries(shards.map(({ id, range }) => [id, printRange(range)]));
  return { name: "Application Shard Ranges", data };
}
