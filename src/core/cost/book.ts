import type { PricedMove, RouteAxis } from "#core/reshard";
import type { Hardware } from "./cost.ts";
import type { CostModel } from "./model.ts";

/**
 * The formulas of the scaling book (planner.md §2.1, jax-ml/scaling-book `sharding.md`): a
 * collective takes the larger of its hops and of its bytes. On a ring G gathered bytes take G/(2W),
 * whatever its length; on anything else (n−1)/n · G/W. An all-to-all moves a quarter of that, an
 * all-reduce twice as much. Axes that are used together add up their bandwidths.
 *
 * Where the book's own text is misprinted, its steps are followed (planner.md §3, fact 11): its
 * all-reduce over Z takes 11.65 µs.
 */
export function bookModel({ flops, memoryBandwidth }: Hardware): CostModel {
  return {
    name: "book",
    priceMove: bookMove,
    computeSeconds: (work) => Math.max(work.flops / flops, work.bytes / memoryBandwidth),
    fuses: true,
  };
}

function bookMove({ collective, axes, bytes }: PricedMove): number {
  const count = axes.reduce((product, { size }) => product * size, 1);
  const latency = axes.reduce((sum, axis) => sum + hops(axis) * axis.link.latency, 0);
  const speed = axes.reduce((sum, axis) => sum + gatherSpeed(axis), 0);
  switch (collective) {
    case "slice":
      return 0;
    case "all-gather":
      return Math.max(latency, (count * bytes) / speed);
    case "reduce-scatter":
      return Math.max(latency, bytes / speed);
    case "all-reduce":
      return 2 * Math.max(latency, bytes / speed);
    case "all-to-all":
      return Math.max(latency, (count * bytes) / (4 * speed));
    case "collective-permute": {
      const bandwidth = Math.min(...axes.map(({ link }) => link.bandwidth));
      return Math.max(...axes.map(({ link }) => link.latency), bytes / bandwidth);
    }
    case "exchange":
      return Number.POSITIVE_INFINITY;
  }
}

/** Hops to the farthest device: half around a ring, along all of a line. */
function hops({ size, link }: RouteAxis): number {
  return link.fabric === "ring" ? Math.floor(size / 2) : size - 1;
}

/** Gathered bytes per second: both directions of a ring, one of a line, which keeps its own part. */
function gatherSpeed({ size, link }: RouteAxis): number {
  return link.fabric === "ring" ? 2 * link.bandwidth : (link.bandwidth * size) / (size - 1);
}
