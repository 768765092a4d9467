import {
  blockCount,
  type DeviceId,
  type Layout,
  localElements,
  sameBlocks,
  slicesOf,
} from "#core/mesh";
import { overlaps, volumes } from "./box-lists.ts";
import type { Collective } from "./collective.ts";
import { isEven } from "./even.ts";
import { messagesOf, totals } from "./messages.ts";
import { bytesGrowth } from "./stages.ts";
import { type LayoutStep, movedParts } from "./step.ts";

/**
 * Elements that each device receives (and sends) in a group, from its local elements before
 * (redistribution.md §3.1): all-gather (n−1)L, reduce-scatter and all-to-all (n−1)/n·L, all-reduce
 * 2(n−1)/n·L, permute L, slice 0. Zero in a group of one. An exchange follows from its transfers.
 */
export function receivedElements(
  collective: Exclude<Collective, "exchange">,
  { groupSize, localElements }: { readonly groupSize: number; readonly localElements: number },
): number {
  if (groupSize <= 1 || collective === "slice") return 0;
  const { times, over } = bytesGrowth(collective);
  return (times.of(groupSize) * localElements) / over.of(groupSize);
}

/**
 * Elements that the busiest device receives in a step.
 *
 * Even dims: `receivedElements`. Uneven ones are priced at the padded size (redistribution.md
 * §7.7), every message as long as the longest; transfers count as they are. A permute that changes
 * no block costs nothing.
 */
export function stepElements(step: LayoutStep, shape: readonly number[]): number {
  const { collective, before, transfers } = step;
  if (transfers !== undefined) return mostOf(totals(transfers, "to"));
  const groupSize = blockCount(movedParts(step.moves));
  switch (collective) {
    case "slice":
    case "exchange":
      return 0;
    case "all-gather":
    case "all-reduce": {
      const local = localElements(before, shape);
      return receivedElements(collective, { groupSize, localElements: local });
    }
    case "all-to-all":
    case "reduce-scatter": {
      const equal = isEven(before, shape) && isEven(step.after, shape);
      if (!equal) return (groupSize - 1) * longestMessage(step, shape);
      return receivedElements(collective, {
        groupSize,
        localElements: localElements(before, shape),
      });
    }
    case "collective-permute": {
      const [held, wanted] = [before, step.after].map((layout) => ({ ...layout, partials: [] }));
      const isKept = held === undefined || wanted === undefined || sameBlocks(held, wanted, shape);
      return isKept ? 0 : localElements(before, shape);
    }
  }
}

function mostOf(totals: ReadonlyMap<DeviceId, number>): number {
  let most = 0;
  for (const total of totals.values()) most = Math.max(most, total);
  return most;
}

/**
 * The most elements that one member of a group takes from another, or from itself. If block lengths
 * only shrink along every dim (flat or nested), the mesh's first device holds the longest block
 * before and after, and both start at 0: its overlap with itself is the largest of all n² pairs.
 */
function longestMessage(step: LayoutStep, shape: readonly number[]): number {
  const [first] = step.before.mesh.devices;
  const isShrinking = hasShrinkingBlocks(step.before) && hasShrinkingBlocks(step.after);
  if (isShrinking && first !== undefined) {
    const boxesOf = (layout: Layout) =>
      slicesOf(layout, shape, [first]).map(({ ranges }) => ranges);
    return volumes(overlaps(boxesOf(step.before), boxesOf(step.after)));
  }
  const lengths = messagesOf(step, shape).flatMap((received) =>
    received.map(({ ranges }) => volumes(ranges)),
  );
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

function hasShrinkingBlocks({ dims }: Layout): boolean {
  return dims.every(
    ({ parts, sizes }) => sizes === undefined && parts.every(({ kind }) => kind === "axis"),
  );
}
