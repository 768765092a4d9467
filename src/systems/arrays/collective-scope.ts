import type { Box } from "#core/indexspace";
import type { Layout, ReduceKind } from "#core/mesh";
import type { HeldBlocks } from "./held-blocks.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";

/** Scope in which an engine writes a collective. */
export interface CollectiveScope {
  /** Its position among all steps of the program. */
  readonly at: number;
  /**
   * Code of the input, and the variables of input and result, which are the keys of the file's
   * block tables.
   */
  readonly source: string;
  readonly name: string;
  readonly target: string;
  /** The layouts before and after it. */
  readonly before: Layout;
  readonly after: Layout;
  /** Blocks of all devices before and after it. */
  readonly blocks: { readonly before: HeldBlocks; readonly after: HeldBlocks };
  /** Whether blocks before or after it are of unequal length or windows. */
  readonly isUneven: boolean;
  /** Shape of a device's block before it; where devices differ, the longest length per dim. */
  readonly local: readonly number[];
  readonly mesh: MeshAtoms;
  /** Reduction of the partial values. */
  readonly reduce: ReduceKind;
  /** Sender and receiver of each block of a permute. */
  readonly pairs: readonly DevicePair[];
  /**
   * Whether an equal collective of the same value was written before; it is repeated to save
   * memory.
   */
  readonly isAgain: boolean;
  /** Boxes that devices send to each other in an exchange. */
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
