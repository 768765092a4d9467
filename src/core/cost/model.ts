import type { PriceMove } from "#core/reshard";

/** What one operator does on one device. */
export interface LocalWork {
  /** Floating-point operations. */
  readonly flops: number;
  /** Bytes of its operands, by position, and of its results. */
  readonly bytes: number;
}

/**
 * A cost model as a planner and an evaluation of a given plan use it: the seconds of single-axis
 * collectives and of the work on one device. Nothing overlaps; costs add up.
 */
export interface CostModel {
  readonly name: string;
  readonly priceMove: PriceMove;
  readonly computeSeconds: (work: LocalWork) => number;
}
