import type { CompileCache } from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import { type Layout, printLayout } from "#core/mesh";
import { isCutAs, propagate } from "#core/plan";
import type { Document } from "#language/document";
import { layoutsAgree, type PlannedProgram } from "./planned-words.ts";

/** Propagation cache shared by the plans of one document. */
export type PropagationCache = Pick<CompileCache, "planReshard" | "plans">;

/**
 * Compares a new version of a text with a plan: it sets less than the plan, exactly the plan, or
 * something else with other steps.
 */
export function whatIsSaid(
  before: Document,
  after: Document,
  planned: PlannedProgram,
  { planReshard, plans }: PropagationCache,
): "less" | "plan" | "more" {
  if (hasErrors(after.diagnostics) && !hasErrors(before.diagnostics)) return "less";
  const { graph, mesh, requests } = after;
  plans.begin();
  const { plan, diagnostics } = propagate(graph, mesh.mesh, requests, planReshard, plans);
  if (hasErrors(diagnostics)) return "less";
  const isCut = [...planned.strategies].every(([id, strategy]) => {
    const own = plan.operators.get(id);
    return own !== undefined && isCutAs(own, strategy, mesh.mesh);
  });
  const isLaid = [...planned.rest].every(([id, layout]) =>
    layoutsAgree(plan.placements.get(id)?.layout, layout),
  );
  if (!isCut || !isLaid) return "less";
  return laysResultsAs(before, after, planned) && gathersAs(before, after) ? "plan" : "more";
}

/** Whether every result placed by the text has its former layout or the plan's final layout. */
function laysResultsAs(before: Document, after: Document, { ends }: PlannedProgram): boolean {
  const [had, has] = [placedResults(before), placedResults(after)];
  const staysPlaced = [...had.keys()].every((id) => has.has(id));
  return (
    staysPlaced &&
    [...has].every(([id, layout]) => {
      const wanted = ends.get(id) ?? had.get(id);
      return wanted !== undefined && layoutsAgree(wanted, layout);
    })
  );
}

function placedResults({ graph, requests }: Document): ReadonlyMap<TensorId, Layout> {
  const made = graph.tensors.filter(({ producer }) => producer !== undefined);
  return new Map(
    made.flatMap(({ id }) => {
      const placed = requests.placements.get(id);
      return placed === undefined ? [] : [[id, placed.layout] as const];
    }),
  );
}

/** Whether the same parameters are gathered again, and redistributions take the same steps. */
function gathersAs({ requests: before }: Document, { requests: after }: Document): boolean {
  const stepsOf = ({ reshards = [] }: Document["requests"]) =>
    reshards.map(({ target, steps, to }) => `${target} ${steps} ${to && printLayout(to)}`).join();
  return (
    sameSet(before.gatheredAgain, after.gatheredAgain) &&
    sameSet(before.keptGathered, after.keptGathered) &&
    stepsOf(before) === stepsOf(after)
  );
}

function sameSet<T>(a: ReadonlySet<T> = new Set(), b: ReadonlySet<T> = new Set()): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
