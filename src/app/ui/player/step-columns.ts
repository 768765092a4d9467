import { formatBytes, formatSeconds } from "#app/scene/text";
import type { Compiled } from "#compile";
import { bytesOf } from "#core/ir";
import type { CollectiveStep, Redistribution } from "#core/program";
import { stepsOf } from "../words.ts";

/** A column of figures of the step table. */
interface StepColumn {
  readonly head: string;
  /** The figure of one collective. */
  readonly of: (step: CollectiveStep) => string;
  /** The cell in the row of the lower bound; empty where there is no bound. */
  readonly ofBound: (bound: Bound) => string;
  /** The figure whose formula a press opens; a figure without a formula is plain text. */
  readonly opens?: "comm" | "time";
}

/** The lower bound of every sequence of collectives, and the excess of this one; in bytes. */
interface Bound {
  readonly bytes: number;
  readonly gapBytes: number;
}

/** The columns in their order. To add one: its entry here, and its cells in the test beside. */
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

/** A figure of a step as text, and which formula it opens. */
export interface StepCell {
  readonly text: string;
  readonly opens?: "comm" | "time";
}

/** The step table as data: one row for each collective, and that of the lower bound. */
export interface StepRows {
  /** Headings: that of the names, then one for each figure. */
  readonly head: readonly string[];
  readonly rows: readonly { readonly step: CollectiveStep; readonly cells: readonly StepCell[] }[];
  readonly bound: readonly string[];
}

/** The costs of each collective of a redistribution, and their lower bound. */
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

/** The figures of a slice have no formula, since it sends nothing. */
function cellsOf(step: CollectiveStep): readonly StepCell[] {
  const isFree = step.collective === "slice";
  return columns.map(({ of, opens }) => ({
    text: of(step),
    ...(opens !== undefined && !isFree && { opens }),
  }));
}
