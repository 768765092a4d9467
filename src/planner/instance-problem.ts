import type { MemoryFormula } from "./memory-formula.ts";

/** An abstract problem of choices: what each costs alone and beside others. */
export interface Instance {
  readonly nodes: readonly InstanceNode[];
  readonly edges: readonly InstanceEdge[];
  /** How memory follows from the sums over all nodes. */
  readonly memory: MemoryFormula;
}

/** Seconds of every choice of a node, and what it adds to the sums that memory is made of. */
export interface InstanceNode {
  readonly name: string;
  readonly seconds: readonly number[];
  readonly memory: readonly Readonly<Record<string, number>>[];
}

/** Seconds by the choice of one node, then of the other; both by their places. */
export interface InstanceEdge {
  readonly from: number;
  readonly to: number;
  readonly seconds: readonly (readonly number[])[];
}
