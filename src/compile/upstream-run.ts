import { readDocument, systems } from "#systems";
import type { EdgeFigures, EdgeReason, SystemChoices, SystemRow, WrongStep } from "#systems/system";
import type { Compiled } from "./compiled.ts";

/** Number of communicating steps, bytes received by the busiest device, modelled seconds. */
export interface SystemTotals {
  readonly steps: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** A whole program as another system would run it, compared with the plan. */
export interface SystemRun {
  readonly system: string;
  /** The system's own name. */
  readonly title: string;
  readonly rows: readonly SystemRow[];
  /** Totals over `rows`, without rows that are listed but not counted. */
  readonly ours: SystemTotals;
  readonly theirs: SystemTotals;
  /** Number of edges for which the system has no plan; they are not in its totals. */
  readonly declined: number;
  /** Notes on what is left out, and on the assumptions of the rest. */
  readonly notes: readonly string[];
  /** Short words for the reasons why a tensor is sent. */
  readonly reasonWords: Readonly<Record<EdgeReason, string>>;
  /** Steps that the system computes wrongly. */
  readonly wrong: readonly WrongStep[];
  /** Choices of the system's search, for a program under a searching mode. */
  readonly choices?: SystemChoices;
}

/** Words for reasons of redistributions, for systems without their own. */
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
 * A whole program as run by the system in whose words it is written, compared with the plan: its
 * redistribution on every edge, its sums inside operators and its gradient reductions. `undefined`
 * for a program that is not of one system.
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
