import type { Weight } from "./weight.ts";

/** A plan of a network with its cost and a lower bound. */
export interface Found extends Weight {
  /** The index of the choice of each unknown. */
  readonly plan: readonly number[];
  /** Seconds below which no plan within the limit goes. */
  readonly bound: number;
}
