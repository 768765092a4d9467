import { readDocument, systems } from "#systems";
import type { EdgeFigures, EdgeReason, SystemChoices, SystemRow, WrongStep } from "#systems/system";
import type { Compiled } from "./compiled.ts";

/** Steps that communicate, bytes received by the busiest device, modelled seconds. */
export interface SystemTotals {
  readonly steps: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** A whole program as another system would run it, beside ours. */
export interface SystemRun {
  readonly system: string;
  /** The system's own name. */
  readonly title: string;
  readonly rows: readonly SystemRow[];
  /** Totals over `rows`, without rows that are listed but not counted. */
  readonly ours: SystemTotals;
  readonly theirs: SystemTotals;
  /** The number of edges for which the system has no plan; they are not in its totals. */
  readonly declined: number;
  /** Notes on what is left out, and on the assumptions of the rest. */
  readonly notes: readonly string[];
  /** The reason why a tensor is sent, in a word. */
  readonly reasonWords: Readonly<Record<EdgeReason, string>>;
  /** The steps that the system computes wrongly. */
  readonly wrong: readonly WrongStep[];
  /** The system's choices, for a program under a mode that searches. */
  readonly choices?: SystemChoices;
}

/** Words for the reasons of redistributions, for systems without their own. */
const usualWords: Readonly<Record<EdgeReason, string>> = {
  operand: "redistribution",
  again: "for one more reader",
  reduction: "summed inside the operator",
  output: "a result, whole",
  place: "as placed",
  mirror: "mirror",
  gradient: "its gradient",
  turned: "on the way back",
};

/**
 * The whole program as the system in whose words it is written would run it: its redistribution on
 * every edge, its sums inside operators and its gradient reductions, beside ours. `undefined` for a
 * program of no one system.
 */
export function upstreamRun(compiled: Compiled): SystemRun | undefined {
  const { program, source } = compiled;
  const found = systems.find(({ name }) => name === compiled.system?.name);
  const runs = found?.runs;
  if (found === undefined || runs === undefined) return undefined;
  const read = { ...compiled, read: () => readDocument(source) };
  const choices = runs.choices?.(read);
  const rows = runs.rows(program);
  const edges = rows.flatMap((row) => (row.kind === "edge" && !row.isAside ? [row] : []));
  return {
    system: found.name,
    title: found.title,
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
    notes: runs.notes(rows),
    wrong: runs.wrong?.(read) ?? [],
    reasonWords: { ...usualWords, ...runs.reasonWords },
    ...(choices !== undefined && { choices }),
  };
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
