import { append } from "#core/records";
import { slotsAt } from "./document.ts";
import type { LoomId, OperationNode } from "./graph.ts";

/**
 * Sorts operations so that all writers of a tensor come before its readers, else in text order.
 * Operations on a cycle, and those that depend on one, are left out.
 */
export function inProgramOrder(operations: readonly OperationNode[]): readonly OperationNode[] {
  const writers = new Map<LoomId, OperationNode[]>();
  for (const operation of operations) {
    for (const { selection } of slotsAt(operation, "outputs")) {
      const list = writers.get(selection.tensorId) ?? [];
      writers.set(selection.tensorId, list);
      if (!list.includes(operation)) list.push(operation);
    }
  }
  const waiting = new Map<OperationNode, number>();
  const readers = new Map<OperationNode, OperationNode[]>();
  for (const operation of operations) {
    const needed = new Set(
      slotsAt(operation, "inputs").flatMap(({ selection }) => {
        return writers.get(selection.tensorId) ?? [];
      }),
    );
    waiting.set(operation, needed.size);
    for (const writer of needed) append(readers, writer, operation);
  }
  return released(operations, waiting, readers);
}

function released(
  operations: readonly OperationNode[],
  waiting: Map<OperationNode, number>,
  readers: ReadonlyMap<OperationNode, readonly OperationNode[]>,
): readonly OperationNode[] {
  const order = operations.filter((operation) => waiting.get(operation) === 0);
  for (const operation of order) {
    for (const reader of readers.get(operation) ?? []) {
      const left = (waiting.get(reader) ?? 0) - 1;
      waiting.set(reader, left);
      if (left === 0) order.push(reader);
    }
  }
  return order;
}
