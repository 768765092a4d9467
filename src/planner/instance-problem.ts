import type { MemoryFormula } from "./memory-formula.ts";

/** Abstract choice problem, with costs per node and per pair of nodes. */
export interface Instance {
  readonly nodes: readonly InstanceNode[];
  readonly edges: readonly InstanceEdge[];
  /** The formula of memory over the sums of all nodes. */
  readonly memory: MemoryFormula;
}

/** Seconds of every choice of a node, and its contributions to the sums of memory. */
export interface InstanceNode {
  readonly name: string;
  readonly seconds: readonly number[];
  readonly memory: readonly Readonly<Record<string, number>>[];
}

/** Seconds by the choice of node `from`, then by that of node `to`; nodes by index. */
export interface InstanceEdge {
  readonly from: number;
  readonly to: number;
  readonly seconds: readonly (readonly number[])[];
}
