import type { CostModel, LocalWork } from "#core/cost";
import type { PricedMove } from "#core/reshard";

/** Weight of a unit of communication relative to one of computation, on Ascend. */
const communicationWeight = 400;

/**
 * MindSpore's cost model (mindspore.md §3.10, §6.3), in abstract units of bytes: computation + 400
 * · communication.
 * With P bytes held before the step, communication is 0.5·n·P for a gather over n devices, 0.5·P
 * for a reduce-scatter and 2·P for an all-to-all. An operator that reduces its own partial sums
 * communicates the bytes of its result. Each also counts the bytes it copies as computation. Link
 * speeds do not count.
 *
 * MindSpore prices a whole redistribution with the P of its first step; here each step of a route
 * is priced with the bytes held before it. Gradients are priced by their own routes instead of with
 * the forward ones.
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

/**
 * Bytes computed on: the copy of the result, doubled when blocks are not concatenated along dim 0.
 */
function computed({ collective, axes, bytes, from = 0 }: PricedMove): number {
  const n = axes[0]?.size ?? 1;
  if (collective === "slice") return bytes;
  if (collective !== "all-gather" && collective !== "all-to-all") return 0;
  return 2 * bytes + (from > 0 ? 2 * n * bytes : 0);
}

/**
 * MindSpore's correction for small messages: up to 2,048 bytes cost as 3,072, larger ones 1,024
 * bytes more than their size.
 */
function refined(bytes: number): number {
  if (bytes <= 1e-6) return bytes;
  return bytes <= 2048 ? 3072 : bytes + 1024;
}
