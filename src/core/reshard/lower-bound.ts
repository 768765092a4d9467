import { product, sum } from "#core/arithmetic";
import { heldOf, type Layout } from "#core/mesh";
import { frameOf } from "./align.ts";
import { addendsOf, mostLacking, volume } from "./blocks.ts";

import { remaining, spaceOf } from "./space.ts";

/**
 * Lower bound on the elements received by the busiest device, for any collectives
 * (redistribution.md §3.2).
 *
 * Without partials it is the largest number of missing elements of a device, attained by direct
 * fetching. With partials it is a mean over the devices: p − 1 receptions to combine an element and
 * m − 1 to copy it, one more if no destination holds a contribution.
 */
export function lowerBound(from: Layout, to: Layout, shape: readonly number[]): number {
  const frame = frameOf(from, to, shape);
  if (frame === undefined) return boundOfBlocks(from, to, shape);
  const space = spaceOf(frame, false);
  return remaining(space, space.source);
}

/** The lower bound computed from the blocks, for layouts without common digits. */
export function boundOfBlocks(from: Layout, to: Layout, shape: readonly number[]): number {
  const [held, kept] = [addendsOf(from), addendsOf(to)];
  if (held <= kept) return mostLacking(from, to, shape);
  const wanted = [...heldOf(to, shape).values()].map(volume);
  const elements = product(shape);
  const copies = sum(wanted);
  const addends = held / kept;
  const mean = (kept * elements * (addends - 2) + copies) / wanted.length;
  return Math.max(mean, ...wanted);
}
