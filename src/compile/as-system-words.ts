import type { Collective } from "#core/collective";
import type { ReshardStep } from "#core/reshard";
import type { PolicyName } from "./compiled.ts";

/** What a system calls a step of its own. */
export function wordsOf(
  policy: PolicyName,
  { collective, moves }: Pick<ReshardStep, "collective" | "moves">,
): string {
  switch (policy) {
    case "mindspore": {
      const isFirstDim = (moves[0]?.from?.dim ?? 0) === 0;
      const isInside = collective === "all-gather" && !isFirstDim;
      return isInside ? "AllGather, Split, Concat" : (mindsporeWords[collective] ?? collective);
    }
    case "nnscaler":
      return collective === "slice" ? "chunk" : collective;
    case "dtensor":
      return collective.replaceAll("-", "_");
    case "shardy":
      return collective;
  }
}

const mindsporeWords: Partial<Readonly<Record<Collective, string>>> = {
  slice: "StridedSlice",
  "all-gather": "AllGather",
  "reduce-scatter": "ReduceScatter",
  "all-reduce": "AllReduce",
  "all-to-all": "AlltoAll",
};
