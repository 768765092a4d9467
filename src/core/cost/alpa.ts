import type { PricedMove } from "#core/reshard";
import type { CostModel } from "./model.ts";

/**
 * Alpa's model of a logical device mesh (planner.md §2.1, `alpa/device_mesh.py`): abstract units,
 * where an axis has α as its latency and 1/β as its bandwidth; constants that break ties; compute is
 * free. With B the bytes of the tensor whole on the axis, an all-gather takes α + β(n−1)/n·B + 0.1,
 * an all-reduce twice the bytes and 0.01, a reduce-scatter 0.001, an all-to-all
 * α + β(n−1)/n²·B·n/2 + 0.001; its compiler rounds to whole units before the constant. Pieces that
 * are unequal count as their mean.
 */
export function alpaModel(): CostModel {
  const price = (move: PricedMove) => alpaMove(move, (n) => n / 2, Math.round);
  return { name: "alpa", priceMove: price, computeSeconds: () => 0, meanPieces: true };
}

/**
 * Alpa's model in the prototype of its solver (`playground/auto_sharding_solver/cluster_env.py`),
 * which rounds down before the constant that breaks ties and has 1.5 instead of n/2.
 */
export function alpaPrototypeModel(): CostModel {
  const price = (move: PricedMove) => alpaMove(move, () => 1.5, Math.floor);
  return { name: "alpa-prototype", priceMove: price, computeSeconds: () => 0, meanPieces: true };
}

function alpaMove(
  { collective, axes, bytes }: PricedMove,
  crowding: (n: number) => number,
  round: (seconds: number) => number,
): number {
  const [{ size: n, link } = { size: 1, link: { latency: 0, bandwidth: 1 } }] = axes;
  const share = (n - 1) / n;
  const moved = (received: number) => round(link.latency + received / link.bandwidth);
  switch (collective) {
    case "slice":
      return 0;
    case "all-gather":
      return moved(share * n * bytes) + 0.1;
    case "all-reduce":
      return moved(2 * share * bytes) + 0.01;
    case "reduce-scatter":
      return moved(share * bytes) + 0.001;
    case "all-to-all":
      return moved(share * bytes * crowding(n)) + 0.001;
    case "collective-permute":
    case "exchange":
      return Number.POSITIVE_INFINITY;
  }
}
