import { formatBytes, formatSeconds } from "#app/scene/text";
import type { Compiled } from "#compile";
import { bytesOf } from "#core/ir";
import type { CollectiveStep, Redistribution } from "#core/program";
import { stepsOf } from "../words.ts";

/** Column of figures of the step table. */
interface StepColumn {
  readonly head: string;
  /** Figure of one collective. */
  readonly of: (step: CollectiveStep) => string;
  /** Figure in the row of the lower bound; empty if the column has none. */
  readonly ofBound: (bound: Bound) => string;
  /** Formula that a press on the figure opens; plain text if absent. */
  readonly opens?: "comm" | "time";
}

/** Lower bound of every sequence of collectives, and the excess of the chosen one, in bytes. */
interface Bound {
  readonly bytes: number;
  readonly gapBytes: number;
}

/** Columns in order. A new column needs an entry here and its cells in the test beside. */
const columns: readonly StepColumn[] = [
  {
    head: "per device",
    of: ({ bytes }) => formatBytes(bytes),
    ofBound: ({ bytes }) => formatBytes(bytes),
    opens: "comm",
  },
  {
    head: "time",
    of: ({ seconds }) => formatSeconds(seconds),
    ofBound: ({ gapBytes }) => (gapBytes <= 0 ? "met" : `gap ${formatBytes(gapBytes)}`),
    opens: "time",
  },
];

/** Figure of a step as text, and the formula that it opens. */
export interface StepCell {
  readonly text: string;
  readonly opens?: "comm" | "time";
}

/** Step table as data: one row per collective, and the row of the lower bound. */
export interface StepRows {
  /** Heading of the names, then one per figure. */
  readonly head: readonly string[];
  readonly rows: readonly { readonly step: CollectiveStep; readonly cells: readonly StepCell[] }[];
  readonly bound: readonly string[];
}

/** Step table of a redistribution: the costs of each collective, and their lower bound. */
export function stepTable(compiled: Compiled, redistribution: Redistribution): StepRows {
  const { elements, lowerBound } = redistribution;
  const tensor = compiled.program.graph.tensors.find(({ id }) => id === redistribution.tensor);
  const width = tensor === undefined ? 1 : bytesOf(tensor.dtype);
  const bound = { bytes: lowerBound * width, gapBytes: (elements - lowerBound) * width };
  return {
    head: ["Step", ...columns.map(({ head }) => head)],
    rows: stepsOf(compiled, redistribution).map((step) => ({ step, cells: cellsOf(step) })),
    bound: columns.map(({ ofBound }) => ofBound(bound)),
  };
}

/** Cells of a step; a slice sends nothing, so its figures have no formula. */
function cellsOf(step: CollectiveStep): readonly StepCell[] {
  const isFree = step.collective === "slice";
  return columns.map(({ of, opens }) => ({
    text: of(step),
    ...(opens !== undefined && !isFree && { opens }),
  }));
}
