import { type Network, weighed } from "./network.ts";
import type { Weight } from "./weight.ts";

/** A plan with its seconds and bytes. */
export interface Weighed {
  readonly plan: readonly number[];
  readonly weight: Weight;
}

/** Crossover points tried on each side of the last one that fits. */
const neighbours = 4;

/**
 * The fastest plan that fits among mixtures of two plans: one up to some operator, the other from
 * there on. Under a memory limit equal layers need not be cut alike (planner.md §4.5). For two
 * plans that are best at one price of bytes, such a mixture nearly reaches the bound.
 *
 * @param fast the faster plan, which does not fit
 * @param lean the other plan, which fits
 */
export function crossed(network: Network, fast: Weighed, lean: Weighed, limit: number): Weighed {
  const order = differing(network, fast.plan, lean.plan);
  let best = lean;
  for (const unknowns of [order, order.toReversed()]) {
    const at = (count: number): Weighed => {
      const plan = [...lean.plan];
      for (const unknown of unknowns.slice(0, count)) plan[unknown] = fast.plan[unknown] ?? 0;
      const weight = weighed(network, plan);
      const fits = weight.bytes <= limit;
      if (fits && weight.seconds < best.weight.seconds) best = { plan, weight };
      return { plan, weight };
    };
    const last = lastFitting(unknowns.length, (count) => at(count).weight.bytes <= limit);
    for (let off = 1; off <= neighbours; off += 1) {
      at(Math.max(0, last - off));
      at(Math.min(unknowns.length, last + off));
    }
  }
  return best;
}

/** The largest count that fits, found by bisection as if all smaller ones fitted. */
function lastFitting(count: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The unknowns in which two plans differ, in program order. */
function differing(
  { values, restOf, choices }: Network,
  a: readonly number[],
  b: readonly number[],
): readonly number[] {
  const places = new Map<number, number>();
  for (const [value, unknown] of restOf) {
    places.set(unknown, (value.readers[0]?.operator ?? values.length) - 0.5);
  }
  const positionOf = (unknown: number) =>
    unknown < choices.length ? unknown : (places.get(unknown) ?? 0);
  return [...a.keys()]
    .filter((unknown) => a[unknown] !== b[unknown])
    .sort((one, other) => positionOf(one) - positionOf(other) || one - other);
}
