import type { Collective } from "#core/collective";
import type { Box } from "#core/indexspace";
import type { DeviceId, Layout } from "#core/mesh";
import type { AxisTag } from "../hue.ts";

/** A box that a device holds before or after a step, with its text. */
export interface HeldBlock {
  readonly box: Box;
  /** Ranges of the changing dims, `s 0…511`; empty if none changes. */
  readonly text: string;
  /** Whether the block is a partial value, still to be reduced with the blocks of other devices. */
  readonly isPartial: boolean;
  /** Group index of the device that the block comes from, or of its goal when it is reduced. */
  readonly coordinate: number;
}

/** One device of the shown group: its blocks before and after the step. */
export interface FrameDevice {
  readonly device: DeviceId;
  readonly before: readonly HeldBlock[];
  readonly after: readonly HeldBlock[];
}

/** A transfer between two devices of the shown group in one frame. */
export interface FrameTransfer {
  readonly from: DeviceId;
  readonly to: DeviceId;
  readonly box: Box;
  readonly bytes: number;
  /** Whether the receiver adds the box to its own. */
  readonly isAdded: boolean;
}

/**
 * One still picture of a collective: the blocks of each device before and after, and the transfers.
 */
export interface Frame {
  readonly collective: Collective;
  readonly axes: readonly AxisTag[];
  /** Index of the frame's step in the redistribution, from 0. */
  readonly step: number;
  /** One sentence that describes the frame. */
  readonly caption: string;
  /**
   * General rule of the collective, with this step's layouts filled in; empty for a collective
   * without one.
   */
  readonly rule: string;
  /** `Group {0, 1} shown; {2, 3} does the same.` */
  readonly groupsText: string;
  /** All devices of the shown group; `devices` has the first of them, those that are drawn. */
  readonly group: readonly DeviceId[];
  readonly devices: readonly FrameDevice[];
  readonly transfers: readonly FrameTransfer[];
  /** Bounding box of all boxes of the drawn devices: the ghost behind their blocks. */
  readonly room: Box;
  /** The dims along which blocks differ, on the same sides as in every drawing of the tensor. */
  readonly rows: number | undefined;
  readonly columns: number | undefined;
  /** The two sides in words, `Rows s, columns f.`; empty if no dim changes. */
  readonly sidesText: string;
  readonly dimNames: readonly string[];
  /**
   * First index of each dim, if not 0: boxes count from it, texts give the tensor's own indices.
   */
  readonly start?: readonly number[];
  /**
   * Part of a collective with several frames. The devices hold the first layout before `first` and
   * the second layout after `second`; in between they hold finished or circulating pieces.
   */
  readonly half: "first" | "middle" | "second" | undefined;
  /** Whether the frame is one hop of a ring, or one round of an all-to-all. */
  readonly isHop: boolean;
  /** Whether `ringFramesOf` shows the collective hop by hop. */
  readonly canGoRound: boolean;
  readonly before: Layout;
  readonly after: Layout;
  /** Bytes that the busiest device receives, and the modelled seconds. */
  readonly bytes: number;
  readonly seconds: number;
}
