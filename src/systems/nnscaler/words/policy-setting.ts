import type { Recorder } from "#language/document/words";

/** More pieces than this are not made. */
export const pieceLimit = 4096;

/** What a policy is run with. */
export interface PolicySetting {
  readonly recorder: Recorder;
  readonly devices: readonly number[];
  /** Whether all sizes are known; else a policy only tells what they must be divisible by. */
  readonly isExact: boolean;
}
