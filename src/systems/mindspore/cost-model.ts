import type { CostModel, LocalWork } from "#core/cost";
import type { PricedMove } from "#core/reshard";

/** Weight of a unit of communication against one of computation, on Ascend. */
const communicationWeight = 400;

/**
 * MindSpore's cost model (mindspore.md §3.10, §6.3): abstract units of bytes, computation +
 * 400 · communication. With P bytes held before it, a gather over n devices communicates 0.5·n·P, a
 * reduce-scatter 0.5·P, an all-to-all 2·P, an operator that ends its own partial sums what its
 * result holds; each also computes on what it copies. Links do not count.
 *
 * MindSpore prices a whole redistribution with its first P; a route here prices each step with what
 * is held before it, and gradients by their own routes instead of with the forward ones.
 */
export function mindSporeModel(): CostModel {
  return {
    name: "mindspore",
    priceMove: (move) => computed(move) + communicationWeight * refined(communicated(move)),
    computeSeconds: ({ readBytes, partialBytes }: LocalWork) => readBytes + partialBytes,
  };
}

function communicated({ collective, axes, bytes }: PricedMove): number {
  switch (collective) {
    case "slice":
      return 0;
    case "all-gather":
      return 0.5 * (axes[0]?.size ?? 1) * bytes;
    case "reduce-scatter":
      return 0.5 * bytes;
    case "all-reduce":
      return bytes;
    case "all-to-all":
      return 2 * bytes;
    case "collective-permute":
    case "exchange":
      return Number.POSITIVE_INFINITY;
  }
}

/** Bytes computed on: the whole result once more where pieces are not simply laid end to end. */
function computed({ collective, axes, bytes, from = 0 }: PricedMove): number {
  const n = axes[0]?.size ?? 1;
  if (collective === "slice") return bytes;
  if (collective !== "all-gather" && collective !== "all-to-all") return 0;
  return 2 * bytes + (from > 0 ? 2 * n * bytes : 0);
}

/** Small messages cost as much as 3,072 bytes, others 1,024 more than they are. */
function refined(bytes: number): number {
  if (bytes <= 1e-6) return bytes;
  return bytes <= 2048 ? 3072 : bytes + 1024;
}
