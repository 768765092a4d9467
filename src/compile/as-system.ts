import { choicesOf, type SystemChoices } from "./as-system-choices.ts";
import type { SystemRow } from "./as-system-row.ts";
import { rowsOf } from "./as-system-rows.ts";
import type { EdgeFigures } from "./as-system-why.ts";
import type { Compiled, ProgramSystem } from "./compiled.ts";

/** Steps that communicate, bytes received by the busiest device, modelled seconds. */
export interface SystemTotals {
  readonly steps: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** A whole program as another system would run it, beside ours. */
export interface SystemRun {
  readonly system: ProgramSystem;
  readonly rows: readonly SystemRow[];
  /** Over the lines that stand here, but for those that are aside. */
  readonly ours: SystemTotals;
  readonly theirs: SystemTotals;
  /** Edges for which the system has no plan: they are not in its totals. */
  readonly declined: number;
  /** What is left out, and on which terms the rest stands. */
  readonly notes: readonly string[];
  /** Of a program under a mode that searches. */
  readonly choices?: SystemChoices;
}

/**
 * The whole program as the system would run it in whose words it is written: its redistribution on
 * every edge, its sums inside operators, its gradient reductions (mindspore.md §2.4, §3, §5;
 * dimops.md §6), beside what ours does there. `undefined` for a program of no one system.
 *
 * MindSpore redistributes once per reader, where ours shares what two readers want alike. Its
 * backward pass is what autodiff makes of the forward one, and its mirrors.
 */
export function asSystem(compiled: Compiled): SystemRun | undefined {
  const { program, system } = compiled;
  if (system === undefined) return undefined;
  const choices = choicesOf(compiled);
  const rows = rowsOf(program, system);
  const edges = rows.flatMap((row) => (row.kind === "edge" && !row.isAside ? [row] : []));
  return {
    system,
    rows,
    ours: totalsOf(edges.map(({ ours, count }) => ({ figures: ours, count }))),
    theirs: totalsOf(
      edges.flatMap(({ theirs, count }) =>
        theirs.kind === "planned" ? [{ figures: theirs, count }] : [],
      ),
    ),
    declined: edges.reduce(
      (sum, { theirs, count }) => sum + (theirs.kind === "declined" ? count : 0),
      0,
    ),
    notes: notesOn(system, rows),
    ...(choices !== undefined && { choices }),
  };
}

const notes: Readonly<Record<ProgramSystem, readonly string[]>> = {
  mindspore: [
    "MindSpore redistributes once per reader, without AllToAll unless it is enabled; the sums are those of the raw lists, and where its compiler's clean-up pass changes one, both stand.",
  ],
  nnscaler: [
    "nnScaler picks the adapter of a tensor by the elements that one group sends, without bandwidth or latency; forward and backward are one pair.",
  ],
};

/** What is known of MindSpore's backward pass, and what is not. */
const backwardNotes = {
  trained:
    "Its backward pass is what autodiff makes of the forward one: AllGather becomes ReduceScatter and the other way round, AllReduce stays, slices are padded; mirrors sum the gradients of parameters. What its compiler fuses, drops or does at the same time is not known here.",
  untrained:
    "Of a backward pass only the mirrors stand here, which would sum the gradients of parameters; train(…) shows the rest.",
} as const;

function notesOn(system: ProgramSystem, rows: readonly SystemRow[]): readonly string[] {
  if (system !== "mindspore") return notes[system];
  const isTrained = rows.some((row) => row.phase === "backward" && !("isAside" in row));
  return [...notes[system], isTrained ? backwardNotes.trained : backwardNotes.untrained];
}

function totalsOf(
  edges: readonly { readonly figures: EdgeFigures; readonly count: number }[],
): SystemTotals {
  const sum = (each: (figures: EdgeFigures) => number) =>
    edges.reduce((total, { figures, count }) => total + count * each(figures), 0);
  return {
    steps: sum(({ steps }) => steps.filter(({ collective }) => collective !== "slice").length),
    bytes: sum(({ bytes }) => bytes),
    seconds: sum(({ seconds }) => seconds),
  };
}
