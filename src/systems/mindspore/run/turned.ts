import type { Collective } from "#core/collective";
import { fieldOf } from "#core/records";
import type { PlannedOutcome, PolicyStep } from "#systems/system";

/** The backward collective for a forward collective; others stay the same. */
const turned: Readonly<Partial<Record<Collective, Collective>>> = {
  "all-gather": "reduce-scatter",
  "reduce-scatter": "all-gather",
};

const turnedWords: Readonly<Record<string, string>> = {
  AllGather: "ReduceScatter",
  "AllGather, Split, Concat": "Split, Concat, ReduceScatter",
  ReduceScatter: "AllGather",
  StridedSlice: "StridedSliceGrad",
};

/**
 * MindSpore's autodiff of the steps on an edge, the last step first. AllGather and ReduceScatter
 * become each other, an AlltoAll is reversed, a slice is padded, and an AllReduce stays one
 * (`ops/_grad_experimental/grad_comm_ops.py` and `grad_array_ops.py` of MindSpore). Each step moves
 * as much data as its forward step, so the price is the same.
 *
 * @param isExtreme whether an AllReduce takes a maximum or minimum; its gradient goes to the copies
 * that attain it
 */
export function turnedRound(forward: PlannedOutcome, isExtreme: boolean): PlannedOutcome {
  const { lists: _lists, ...outcome } = forward;
  const steps = forward.steps.toReversed().map((step): PolicyStep => {
    const { collective, words } = step;
    const extreme = isExtreme && collective === "all-reduce" ? ", Equal, Mul" : "";
    return {
      ...step,
      collective: turned[collective] ?? collective,
      words: `${fieldOf(turnedWords, words) ?? words}${extreme}`,
    };
  });
  return { ...outcome, steps, why: turnedText };
}

const turnedText = "MindSpore's autodiff turns the forward pass round, primitive by primitive.";
