import type { LayoutStep } from "#core/collective";
import type { Layout } from "#core/mesh";
import { priceSteps, type ReshardStep } from "./price.ts";
import type { PriceOptions } from "./rates.ts";

/**
 * The modelled seconds of steps as a straight line over the size of the tensor, with the same
 * layouts: at `scale` times its bytes they take `fixed + scale * moving`.
 */
export interface TimeLine {
  /** Launches and latencies. */
  readonly fixed: number;
  /** Seconds for the bytes at the tensor's own size. */
  readonly moving: number;
}

/** A scale at which launches and latencies do not matter. */
const huge = 2 ** 40;

/** Seconds of the given steps from a layout, as a linear function of the tensor's scale. */
export function timeLine(
  steps: readonly ReshardStep[],
  from: Layout,
  shape: readonly number[],
  options: PriceOptions = {},
): TimeLine {
  const chain = steps.map(({ collective, moves, groups, transfers, layout }, at): LayoutStep => {
    const before = steps[at - 1]?.layout ?? from;
    const step = { collective, moves, groups, before, after: layout };
    return transfers === undefined ? step : { ...step, transfers };
  });
  const at = (scale: number) => {
    const bytesPerElement = scale * (options.bytesPerElement ?? 4);
    return priceSteps(chain, shape, { ...options, bytesPerElement }).seconds;
  };
  const moving = (at(huge) - at(1)) / (huge - 1);
  return { fixed: at(1) - moving, moving };
}

/** Range of the tensor's scale in which one plan is the fastest. */
export interface FasterRange {
  /** Exclusive lower end; 0 if it is faster at all smaller sizes. */
  readonly above: number;
  /** Upper end, where another plan is as fast; infinite if it is faster at all larger sizes. */
  readonly until: number;
}

/**
 * Relative difference below which two times are equal: sums of the same figures in another order.
 */
const tolerance = 1e-9;

/**
 * The scales at which a plan takes less time than each of several others, around the tensor's own
 * size; `undefined` if it does not take less at that size.
 */
export function fasterRange(line: TimeLine, others: readonly TimeLine[]): FasterRange | undefined {
  const now = ({ fixed, moving }: TimeLine) => fixed + moving;
  const best = Math.min(...others.map(now));
  if (others.length === 0 || !(now(line) < best * (1 - tolerance))) return undefined;
  let [above, until] = [0, Number.POSITIVE_INFINITY];
  for (const other of others) {
    const [gain, slope] = [other.fixed - line.fixed, line.moving - other.moving];
    if (Math.abs(slope) <= tolerance * Math.max(line.moving, other.moving)) continue;
    const crossing = gain / slope;
    if (slope > 0) until = Math.min(until, crossing);
    else above = Math.max(above, crossing);
  }
  return { above, until };
}
