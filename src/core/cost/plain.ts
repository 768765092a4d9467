import type { PriceMove } from "#core/reshard";
import type { Hardware } from "./cost.ts";
import type { CostModel } from "./model.ts";

/**
 * The reference model `plain` (planner-plain.md §5, §6): rings without overlap, every collective on
 * one axis, compute bound by arithmetic or by memory traffic.
 */
export function plainModel({ flops, memoryBandwidth }: Hardware): CostModel {
  return {
    name: "plain",
    priceMove: plainMove,
    computeSeconds: (work) => Math.max(work.flops / flops, work.bytes / memoryBandwidth),
  };
}

/** Seconds of one step on one axis; a permute takes its slowest axis. */
const plainMove: PriceMove = ({ collective, axes, bytes }) => {
  const [{ size: n, link } = { size: 1, link: { latency: 0, bandwidth: 1 } }] = axes;
  const hop = (sent: number) => (n - 1) * (link.latency + sent / link.bandwidth);
  switch (collective) {
    case "slice":
      return 0;
    case "all-gather":
      return hop(bytes);
    case "reduce-scatter":
    case "all-to-all":
      return hop(bytes / n);
    case "all-reduce":
      return 2 * hop(bytes / n);
    case "collective-permute": {
      const latency = Math.max(...axes.map((axis) => axis.link.latency));
      return latency + bytes / Math.min(...axes.map((axis) => axis.link.bandwidth));
    }
    case "exchange":
      return Number.POSITIVE_INFINITY;
  }
};
