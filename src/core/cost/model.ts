import type { PriceMove } from "#core/reshard";

/** The work of one operator on one device. */
export interface LocalWork {
  /** Floating-point operations. */
  readonly flops: number;
  /** Bytes of its operands, by position, and of its results. */
  readonly bytes: number;
  /** The part of `bytes` in operands, and in results that are partial. */
  readonly readBytes: number;
  readonly partialBytes: number;
}

/**
 * A cost model as a planner and an evaluation of a given plan use it: the seconds of single-axis
 * collectives and of the work on one device. Nothing overlaps; costs add up.
 */
export interface CostModel {
  readonly name: string;
  readonly priceMove: PriceMove;
  readonly computeSeconds: (work: LocalWork) => number;
  /** Whether steps of one kind over several axes may run as one collective. */
  readonly fuses?: boolean;
  /** Whether unequal pieces count with their mean size; otherwise the largest counts. */
  readonly meanPieces?: boolean;
}

/** Relative tolerance: sums of the same seconds in another order differ by less. */
const tolerance = 1e-9;

/**
 * Optimality gap: excess of a plan's time over the lower bound, relative to the bound. At 0.1 the
 * plan takes at most 10 % longer than the fastest one; at 0 it is optimal (planner.md §4.9). 1 if
 * the bound is 0, since then no time is known to be needed.
 */
export function optimalityGap({
  seconds,
  bound,
}: Readonly<Record<"seconds" | "bound", number>>): number {
  if (seconds - bound <= tolerance * seconds) return 0;
  return bound > 0 ? (seconds - bound) / bound : 1;
}
