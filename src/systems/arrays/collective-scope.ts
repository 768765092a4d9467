import type { Box } from "#core/indexspace";
import type { Layout, ReduceKind } from "#core/mesh";
import type { HeldBlocks } from "./held-blocks.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";

/** What a collective is written for. */
export interface CollectiveScope {
  /** Its place among all steps of the program. */
  readonly at: number;
  /** The variables before and after it; the file lists what devices hold by these names. */
  readonly source: string;
  readonly name: string;
  readonly target: string;
  /** The layouts before and after it. */
  readonly before: Layout;
  readonly after: Layout;
  /** What devices hold before and after it. */
  readonly blocks: { readonly before: HeldBlocks; readonly after: HeldBlocks };
  /** Some block before or after it is longer than another, or a window. */
  readonly isUneven: boolean;
  /** Sizes of the block before it, the longest where they differ. */
  readonly local: readonly number[];
  readonly mesh: MeshAtoms;
  /** How partial values become one. */
  readonly reduce: ReduceKind;
  /** Of a permute, whose block every device gets. */
  readonly pairs: readonly DevicePair[];
  /** An equal collective of the same value was written before, so that less is held in between. */
  readonly isAgain: boolean;
  /** Of an exchange, which box every device gets from which other. */
  readonly sent: readonly SentBox[];
}

/** A box of a tensor that one device gets from another, by device id. */
export interface SentBox extends DevicePair {
  readonly range: Box;
}

/** That one device's block goes to another, by device id. */
export interface DevicePair {
  readonly from: number;
  readonly to: number;
}
