import type { PricedMove } from "#core/reshard";
import type { Hardware } from "./cost.ts";
import type { CostModel, LocalWork } from "./model.ts";

/** Seconds before a collective moves anything. */
const baseSeconds = 6.6e-6;

/** The least seconds of a kernel. */
const kernelSeconds = 7e-6;

/** Share of the peak that kernels reach. */
const efficiency = 0.7;

/** Seconds added per step, slices included, so that of equal routes the shorter wins. */
const transitionSeconds = 1e-6;

/**
 * AutoParallel's default model (planner.md §2.1, §2.2; `autoparallel/cost_models`, and the
 * underlying `_collective_utils.py`): 6.6 µs + hops · latency + hops/n · B/W, with n−1 hops, or
 * 2n−1 for an all-reduce. An all-to-all costs five times a gather of its local bytes. A gather or
 * scatter along any dim but the first reads and writes the tensor once more.
 *
 * Its microsecond per changed edge is charged at each step of a route here, and its floor of one
 * kernel at each operator, since an annotation does not tell which operators are mere views.
 */
export function autoParallelModel(hardware: Hardware): CostModel {
  return {
    name: "autoparallel",
    priceMove: (move) => transitionSeconds + stepSeconds(move, hardware),
    computeSeconds: (work) => workSeconds(work, hardware),
  };
}

function stepSeconds(move: PricedMove, hardware: Hardware): number {
  const { collective, axes, bytes } = move;
  const n = axes[0]?.size ?? 1;
  const copied = (held: number) => copies(move) * copySeconds(2 * held, hardware);
  switch (collective) {
    case "slice":
      return 0;
    case "all-gather":
      return hopSeconds(move, n - 1, n * bytes) + copied(n * bytes);
    case "reduce-scatter":
      return hopSeconds(move, n - 1, bytes) + copied(bytes);
    case "all-reduce":
      return hopSeconds(move, 2 * n - 1, bytes);
    case "all-to-all":
      return 5 * hopSeconds(move, n - 1, bytes) + copied(bytes);
    case "collective-permute":
    case "exchange":
      return Number.POSITIVE_INFINITY;
  }
}

function hopSeconds({ axes }: PricedMove, hops: number, bytes: number): number {
  const [{ size: n, link } = { size: 1, link: { latency: 0, bandwidth: 1 } }] = axes;
  return baseSeconds + hops * link.latency + ((hops / n) * bytes) / link.bandwidth;
}

/**
 * Number of extra reads and writes of the tensor: one for each end of the move that is not dim 0.
 */
function copies({ from = 0, to = 0 }: PricedMove): number {
  return Number(from > 0) + Number(to > 0);
}

function copySeconds(bytes: number, { memoryBandwidth }: Hardware): number {
  return Math.max(bytes / (efficiency * memoryBandwidth), kernelSeconds);
}

function workSeconds(work: LocalWork, hardware: Hardware): number {
  const { flops, bytes } = work;
  return Math.max(flops / (efficiency * hardware.flops), copySeconds(bytes, hardware));
}
