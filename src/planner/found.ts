import type { Weight } from "./value-cost.ts";

/** A plan of a network with its weight, and how good it is known to be. */
export interface Found extends Weight {
  /** By unknown the number of its choice. */
  readonly plan: readonly number[];
  /** Seconds that no plan within the limit goes below. */
  readonly bound: number;
}
