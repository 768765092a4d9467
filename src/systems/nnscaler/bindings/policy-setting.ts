import type { Recorder, TracedOperator } from "#language/document/trace";

/** More pieces than this are not made. */
export const pieceLimit = 4096;

/** The inputs of a policy's run. */
export interface PolicySetting {
  readonly recorder: Recorder;
  /** The devices that the policy plans for. */
  readonly devices: readonly number[];
  /** The devices of the mesh: those of the plan, or several times as many. */
  readonly allDevices: readonly number[];
  /** The operators that nnScaler traces; all of them where that is not known. */
  readonly live: ReadonlySet<TracedOperator> | undefined;
  /** Whether all sizes are known; if not, a policy only says what they must be divisible by. */
  readonly isExact: boolean;
}
