import type { Collective } from "#core/collective";
import type { Box } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import type { AxisTag } from "./hue.ts";

/** A box that a device holds before or after a step, with its words. */
export interface HeldBlock {
  readonly box: Box;
  /** Only the dims that change: `s 0…511`; `all` when none does. */
  readonly text: string;
  /** Still to be added to the blocks of others. */
  readonly isPartial: boolean;
  /** Coordinate of the block along the step's axes, `of` how many, for its tint. */
  readonly coordinate: number;
  readonly of: number;
}

/** One device of the shown group: its blocks before and after the step. */
export interface FrameDevice {
  readonly device: DeviceId;
  /** Everything that the group's devices hold together, in which blocks are drawn in place. */
  readonly room: Box;
  readonly before: readonly HeldBlock[];
  readonly after: readonly HeldBlock[];
}

/** What travels between two devices of the shown group in one frame. */
export interface FrameTransfer {
  readonly from: DeviceId;
  readonly to: DeviceId;
  readonly box: Box;
  readonly bytes: number;
  /** Whether the receiver adds it to its own. */
  readonly isAdded: boolean;
}

/** One still picture of a redistribution: who holds what before and after, and who sends what. */
export interface Frame {
  readonly collective: Collective;
  readonly axes: readonly AxisTag[];
  /** One sentence: what happens. */
  readonly caption: string;
  /** `Group {0, 1} shown; {2, 3} does the same.` */
  readonly groupsText: string;
  readonly group: readonly DeviceId[];
  readonly devices: readonly FrameDevice[];
  readonly transfers: readonly FrameTransfer[];
  /** Dims drawn as rows and columns; other dims do not change. */
  readonly dims: readonly number[];
  /** Bytes that the busiest device receives, and the modelled seconds. */
  readonly bytes: number;
  readonly seconds: number;
}
