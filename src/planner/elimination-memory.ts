/**
 * The result of eliminating a variable: a table over its neighbours, and its best value per entry.
 */
export interface Message {
  readonly maps: readonly Int32Array[];
  readonly dims: readonly number[];
  readonly cost: Float64Array;
  readonly best: Int32Array;
  readonly key: number;
}

/**
 * Results of eliminations by a key of their inputs, for equal parts of this network and of later
 * ones.
 */
export interface EliminationMemory {
  readonly messages: Map<string, Message>;
  nextKey: number;
  /** Keys that the last solved network did not use; the next one drops them. */
  unused: Set<string>;
}

/** An empty memory. */
export function createEliminationMemory(): EliminationMemory {
  return { messages: new Map(), nextKey: -1, unused: new Set() };
}
