import type { Send } from "./board-facts.ts";
import type { BoardRows } from "./board-rows.ts";

/** The redistributions of weights at a row: to its operator, and of gradients and new values. */
export interface BoardWeights {
  /** Gathers of weights, the largest first; those for the backward pass behind the others. */
  readonly gathers: ReadonlyMap<number, readonly Send[]>;
  /** Sums of gradients, and redistributions of an update. */
  readonly updates: ReadonlyMap<number, readonly Send[]>;
}

/** Sorts the redistributions beside the rows. */
export function weightSends({ sends }: BoardRows, hasUpdates: boolean): BoardWeights {
  const gathers = new Map<number, readonly Send[]>();
  const updates = new Map<number, readonly Send[]>();
  for (const [row, list] of sends) {
    const gathered = list.filter(({ lane }) => lane === "weight");
    const updated = list.filter(({ lane }) => lane === "update");
    if (gathered.length > 0) gathers.set(row, gathered.toSorted(byWeight));
    if (hasUpdates && updated.length > 0) updates.set(row, updated.toSorted(byBytes));
  }
  return { gathers, updates };
}

function byWeight(a: Send, b: Send): number {
  return Number(a.isAgain) - Number(b.isAgain) || byBytes(a, b);
}

function byBytes(a: Send, b: Send): number {
  return b.redistribution.bytes - a.redistribution.bytes;
}
