import type { Layout, ReduceKind } from "#core/mesh";
import type { MeshAtoms } from "./mesh-atoms.ts";

/** What a collective is written for. */
export interface CollectiveScope {
  /** Its place among all steps of the program. */
  readonly at: number;
  /** The variables before and after it. */
  readonly source: string;
  readonly target: string;
  /** The layouts before and after it. */
  readonly before: Layout;
  readonly after: Layout;
  /** Sizes of the block before it. */
  readonly local: readonly number[];
  readonly mesh: MeshAtoms;
  /** How partial values become one. */
  readonly reduce: ReduceKind;
  /** Of a permute, whose block every device gets. */
  readonly pairs: readonly DevicePair[];
  /** An equal collective of the same value was written before, so that less is held in between. */
  readonly isAgain: boolean;
}

/** That one device's block goes to another, by device id. */
export interface DevicePair {
  readonly from: number;
  readonly to: number;
}
