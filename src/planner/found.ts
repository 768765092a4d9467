import type { Weight } from "./weight.ts";

/** A plan of a network with its cost and a lower bound. */
export interface Found extends Weight {
  /** The index of the choice of each unknown. */
  readonly plan: readonly number[];
  /** Lower bound of the seconds of all plans within the limit. */
  readonly bound: number;
}
