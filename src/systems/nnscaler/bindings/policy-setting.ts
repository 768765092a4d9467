import type { Recorder, TracedOperator } from "#language/document/trace";

/** Maximum number of pieces of a partition. */
export const pieceLimit = 4096;

/** The inputs of a policy's run. */
export interface PolicySetting {
  readonly recorder: Recorder;
  /** The devices that the policy plans for. */
  readonly devices: readonly number[];
  /** The devices of the mesh: those of the plan, or a multiple of them. */
  readonly allDevices: readonly number[];
  /** The operators that nnScaler traces; `undefined` (all) if that is not known. */
  readonly live: ReadonlySet<TracedOperator> | undefined;
  /** Whether all sizes are known; if not, a policy only determines divisors of sizes. */
  readonly isExact: boolean;
}
