import { type CollectiveStep, isComplete } from "#core/collective";
import { type Layout, sameBlocks } from "#core/mesh";
import type { ReshardStep } from "./step.ts";

/**
 * Whether steps, of any system, lead from one layout to the other: each device can get all of its
 * block in every step, and has the wanted one in the end. Another system may cut uneven dims
 * otherwise, and then its steps begin or end elsewhere.
 */
export function arrives(
  steps: readonly ReshardStep[],
  from: Layout,
  to: Layout,
  shape: readonly number[],
): boolean {
  let before = from;
  for (const { collective, moves, groups, transfers, layout: after } of steps) {
    const step: CollectiveStep = {
      ...{ collective, moves, groups, before, after },
      ...(transfers !== undefined && { transfers }),
    };
    if (!isComplete(step, shape)) return false;
    before = after;
  }
  return sameBlocks(before, to, shape);
}
