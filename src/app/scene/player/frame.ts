import type { Collective } from "#core/collective";
import type { Box } from "#core/indexspace";
import type { DeviceId, Layout } from "#core/mesh";
import type { AxisTag } from "../hue.ts";

/** A box that a device holds before or after a step, with its words. */
export interface HeldBlock {
  readonly box: Box;
  /** The dims that change, `s 0…511`; empty when none does. */
  readonly text: string;
  /** Still to be added to the blocks of others. */
  readonly isPartial: boolean;
  /** Place in the group of the device that it comes from, or that it is for when it is added. */
  readonly coordinate: number;
}

/** One device of the shown group: its blocks before and after the step. */
export interface FrameDevice {
  readonly device: DeviceId;
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

/**
 * One still picture of a collective: what each device holds before and after, and who sends what.
 */
export interface Frame {
  readonly collective: Collective;
  readonly axes: readonly AxisTag[];
  /** Which step of the redistribution it belongs to, from 0. */
  readonly step: number;
  /** One sentence: what happens. */
  readonly caption: string;
  /**
   * The general rule of such a collective, written with its own layouts; empty where it has none.
   */
  readonly rule: string;
  /** `Group {0, 1} shown; {2, 3} does the same.` */
  readonly groupsText: string;
  /** All devices of the shown group; `devices` has the first of them, as many as are drawn. */
  readonly group: readonly DeviceId[];
  readonly devices: readonly FrameDevice[];
  readonly transfers: readonly FrameTransfer[];
  /**
   * The smallest box around everything that the drawn devices hold: the ghost behind their blocks.
   */
  readonly room: Box;
  /**
   * The dims along which blocks differ, on the sides that they have in every drawing of the tensor.
   */
  readonly rows: number | undefined;
  readonly columns: number | undefined;
  /** `Rows s, columns f.`: the same in words; empty where none differs. */
  readonly sidesText: string;
  readonly dimNames: readonly string[];
  /**
   * First index of each dim, when not 0: boxes count from it, texts give the tensor's own indices.
   */
  readonly start?: readonly number[];
  /**
   * Which part of a collective of several frames it is: before the first and after the second the
   * devices hold what the layouts say, in between each has finished pieces or some that go round.
   */
  readonly half: "first" | "middle" | "second" | undefined;
  /** Whether it is one hop of a ring, or one round of an all-to-all. */
  readonly isHop: boolean;
  /** Whether `ringFramesOf` shows it hop by hop. */
  readonly canGoRound: boolean;
  readonly before: Layout;
  readonly after: Layout;
  /** Bytes that the busiest device receives, and the modelled seconds. */
  readonly bytes: number;
  readonly seconds: number;
}
