import { countedRows, type SystemRow, type SystemRuns, walkProgram } from "#systems/system";
import { backwardRows } from "./backward.ts";
import { choicesOf } from "./choices.ts";
import { mirrorRows } from "./mirrors.ts";
import { mindsporeSteps } from "./steps.ts";
import { wrongSteps } from "./wrong-steps.ts";

/**
 * A whole program as MindSpore runs it. It redistributes once per reader, where ours shares what two
 * readers want alike; its backward pass is what autodiff makes of the forward one, and its mirrors.
 */
export const mindsporeRuns: SystemRuns = {
  owns: ({ graph }) => graph.operators.every(({ reducesInside }) => reducesInside),
  rows: (program) => {
    const { rows, operatorRow } = walkProgram(program, mindsporeSteps, {
      isShown: (phase) => phase === "forward",
      again: againText,
    });
    const back = backwardRows(program, rows, operatorRow);
    return countedRows([...rows, ...back, ...mirrorRows(program)]);
  },
  notes: notesOn,
  choices: choicesOf,
  wrong: wrongSteps,
};

const againText =
  "MindSpore redistributes a tensor for each of its readers; ours does it once for all that want the same.";

const note =
  "MindSpore redistributes once per reader, without AllToAll unless it is enabled; the sums are those of the raw lists, and where its compiler's clean-up pass changes one, both stand.";

/** What is known of MindSpore's backward pass, and what is not. */
const backwardNotes = {
  trained:
    "Its backward pass is what autodiff makes of the forward one: AllGather becomes ReduceScatter and the other way round, AllReduce stays, slices are padded; mirrors sum the gradients of parameters. What its compiler fuses, drops or does at the same time is not known here.",
  untrained:
    "Of a backward pass only the mirrors stand here, which would sum the gradients of parameters; train(…) shows the rest.",
} as const;

function notesOn(rows: readonly SystemRow[]): readonly string[] {
  const isTrained = rows.some((row) => row.phase === "backward" && !("isAside" in row));
  return [note, isTrained ? backwardNotes.trained : backwardNotes.untrained];
}
