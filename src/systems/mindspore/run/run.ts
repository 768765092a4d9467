import type { Operator } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import {
  countedRows,
  type ProgramRead,
  type SystemChoice,
  type SystemChoices,
  type SystemRow,
  type SystemRuns,
  walkProgram,
} from "#systems/system";
import { searchChoice } from "../plans/search-notes.ts";
import { backwardRows } from "./backward.ts";
import { mirrorRows } from "./mirrors.ts";
import { mindsporeSteps } from "./steps.ts";
import { wrongSteps } from "./wrong-steps.ts";

/**
 * A whole program as MindSpore runs it. It redistributes once per reader, whereas ours shares a
 * redistribution among readers of the same layout. Its backward pass consists of autodiff's
 * reversal of the forward pass, and the mirrors.
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

/** Notes on what is known of MindSpore's backward pass. */
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

const ways: Readonly<Record<string, string>> = {
  sharding_propagation:
    "From the operators with a strategy it reaches the others one by one; each takes the strategy with the least redistribution. Computation and memory do not count.",
  recursive_programming:
    "It halves the devices again and again, and cuts each MatMul where i·j/2, i·k/2 or j·k/8 is least; the others follow. It counts neither latency nor the machine.",
};

/**
 * The choices of the text's search mode; `undefined` if the mode does not search, or every operator
 * has a strategy.
 */
function choicesOf({ graph, plan, diagnostics, read }: ProgramRead): SystemChoices | undefined {
  if (!diagnostics.some(({ code }) => code === "mindspore/search-choice")) return undefined;
  const { trace, built, mesh } = read();
  const found = searchChoice(trace, built, mesh.mesh);
  if (found === undefined) return undefined;
  const operators = new Map(graph.operators.map((operator) => [operator.name, operator]));
  const chosen = found.chosen.flatMap(({ name, text }): SystemChoice[] => {
    const operator = operators.get(name);
    if (operator === undefined) return [];
    const ours = cutsText(operator, plan.operators.get(operator.id));
    return [{ name, op: operator.op, theirs: text, ours }];
  });
  return { mode: found.mode, how: fieldOf(ways, found.mode) ?? "", chosen };
}

function cutsText(operator: Operator, plan: OperatorPlan | undefined): string {
  const cuts = operator.axes.flatMap(({ name }) => {
    const axes = (fieldOf(plan?.strategy.cuts, name) ?? []).flatMap((part) =>
      part.kind === "axis" ? [part.axis] : [],
    );
    return axes.length === 0 ? [] : [`${name} over ${axes.join(", ")}`];
  });
  return cuts.join("; ") || "whole";
}
