import { collectiveSeconds } from "#core/collective";
import type { PricedMove } from "#core/reshard";
import type { Hardware } from "./cost.ts";
import { achievable } from "./kernel-seconds.ts";
import type { CostModel } from "./model.ts";

/**
 * The product's own formulas per fabric (planner.md §2.4), one axis at a time: rings use both
 * directions, lines one, switches one hop per peer; no seconds to launch, and 0.7 of the peak in
 * compute (planner.md §5, rule 4).
 */
export function linksModel({ flops, memoryBandwidth }: Hardware): CostModel {
  return {
    name: "links",
    priceMove: linksMove,
    computeSeconds: (work) =>
      Math.max(work.flops / flops, work.bytes / memoryBandwidth) / achievable,
  };
}

function linksMove({ collective, axes, bytes }: PricedMove): number {
  if (collective === "exchange") return Number.POSITIVE_INFINITY;
  return collectiveSeconds(collective, {
    groupSize: axes.reduce((product, { size }) => product * size, 1),
    bytes: receivedBytes(collective, axes[0]?.size ?? 1, bytes),
    links: axes.map(({ link }) => link),
  });
}

/** Bytes that a device receives in a collective, from its `bytes` of the tensor before it. */
function receivedBytes(collective: PricedMove["collective"], n: number, bytes: number): number {
  switch (collective) {
    case "all-gather":
      return (n - 1) * bytes;
    case "reduce-scatter":
    case "all-to-all":
      return ((n - 1) / n) * bytes;
    case "all-reduce":
      return 2 * ((n - 1) / n) * bytes;
    default:
      return bytes;
  }
}
