import type { Box } from "#core/indexspace";
import type { Layout, ReduceKind } from "#core/mesh";
import type { HeldBlocks } from "./held-blocks.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";

/** The surroundings of a collective that an engine writes. */
export interface CollectiveScope {
  /** Its position among all steps of the program. */
  readonly at: number;
  /**
   * The input as code, and the variables of input and result, by which the file lists their blocks.
   */
  readonly source: string;
  readonly name: string;
  readonly target: string;
  /** The layouts before and after it. */
  readonly before: Layout;
  readonly after: Layout;
  /** What devices hold before and after it. */
  readonly blocks: { readonly before: HeldBlocks; readonly after: HeldBlocks };
  /** Whether blocks before or after it are of unequal length or windows. */
  readonly isUneven: boolean;
  /** Shape of a device's block before it, the longest per dim where they differ. */
  readonly local: readonly number[];
  readonly mesh: MeshAtoms;
  /** How partial values are combined. */
  readonly reduce: ReduceKind;
  /** The sender and receiver of each block, of a permute. */
  readonly pairs: readonly DevicePair[];
  /**
   * Whether the same collective of the same value was written before: it is repeated to save
   * memory.
   */
  readonly isAgain: boolean;
  /** The boxes that devices send to each other, of an exchange. */
  readonly sent: readonly SentBox[];
}

/** A box of a tensor that one device sends to another. */
export interface SentBox extends DevicePair {
  readonly range: Box;
}

/** A sender and a receiver, by device id. */
export interface DevicePair {
  readonly from: number;
  readonly to: number;
}
