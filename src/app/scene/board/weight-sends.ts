import type { Send } from "./board-facts.ts";
import type { BoardRows } from "./board-rows.ts";

/** The redistributions of weights at each row: gathers of weights, and updates. */
export interface BoardWeights {
  /** Gathers of weights, largest first; those for the backward pass after the others. */
  readonly gathers: ReadonlyMap<number, readonly Send[]>;
  /** Reductions of weight gradients, and redistributions of an update. */
  readonly updates: ReadonlyMap<number, readonly Send[]>;
}

/** Sorts the redistributions of weights by row into gathers and updates. */
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
