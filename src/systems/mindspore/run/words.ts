import type { Collective } from "#core/collective";
import type { ReshardStep } from "#core/reshard";

/** What MindSpore calls a step of its own. */
export function wordsOf({ collective, moves }: Pick<ReshardStep, "collective" | "moves">): string {
  const isFirstDim = (moves[0]?.from?.dim ?? 0) === 0;
  const isInside = collective === "all-gather" && !isFirstDim;
  return isInside ? "AllGather, Split, Concat" : (words[collective] ?? collective);
}

const words: Partial<Readonly<Record<Collective, string>>> = {
  slice: "StridedSlice",
  "all-gather": "AllGather",
  "reduce-scatter": "ReduceScatter",
  "all-reduce": "AllReduce",
  "all-to-all": "AlltoAll",
};
