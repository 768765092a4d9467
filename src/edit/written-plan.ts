import { type Analysis, analyze, createCompileCache } from "#compile";
import { modelFlops } from "#core/cost";
import { assumedHardware } from "#core/cost/machines";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import type { Document } from "#language/document";
import { type PlanInText, planIntoText } from "./plan-into-text.ts";
import { withPlan } from "./planned-costs.ts";
import type { PlannedProgram } from "./planned-words.ts";

/** A plan as a text, and the analysis of that text. */
export interface WrittenPlan {
  readonly text: PlanInText;
  /** Analysis of the text, or of the plan alone if no text has it. */
  readonly analysis: Analysis;
}

/** Writes plans of one document into its text; the cost of a plan is that of its text. */
export interface PlanWriter {
  /** Writes and compiles a plan; repeated calls are cached. */
  readonly written: (plan: PlannedProgram) => WrittenPlan;
  /** Compiles a plan without writing a text; repeated calls are cached. */
  readonly planned: (plan: PlannedProgram) => Analysis;
  /** Analysis of the present text; `undefined` if it is certain to take longer than `seconds`. */
  readonly standingWithin: (seconds: number) => Analysis | undefined;
}

/**
 * A writer of plans with a shared cache.
 *
 * @param planReshard plans redistributions, shared with other plans on the same mesh
 */
export function createPlanWriter(
  document: Document,
  planReshard: PlanReshard = createReshardPlanner(),
): PlanWriter {
  const cache = { ...createCompileCache(), planReshard };
  const known = new Map<PlannedProgram["strategies"], WrittenPlan>();
  const unwritten = new Map<PlannedProgram["strategies"], Analysis>();
  let own: Analysis | undefined;
  return {
    planned: (plan) => {
      const before = unwritten.get(plan.strategies);
      const analysis = before ?? analyze(withPlan(document, plan), {}, cache);
      unwritten.set(plan.strategies, analysis);
      return analysis;
    },
    written: (plan) => {
      const before = known.get(plan.strategies);
      if (before !== undefined) return before;
      const text = planIntoText(document, plan, cache);
      const analysis = analyze(text.ok ? text.document : withPlan(document, plan), {}, cache);
      known.set(plan.strategies, { text, analysis });
      return { text, analysis };
    },
    standingWithin: (seconds) => {
      if (leastSeconds(document) > seconds) return undefined;
      own ??= analyze(document, {}, cache);
      return own;
    },
  };
}

/**
 * Lower bound in seconds for a text without any split: every device does the whole forward pass, at
 * the peak of its fastest arithmetic. 0 for any other text.
 */
function leastSeconds({ graph, mesh, requests }: Document): number {
  if (requests.operators.size > 0 || requests.placements.size > 0) return 0;
  const { flops, peaks } = mesh.platform?.hardware ?? assumedHardware;
  const least = modelFlops({ graph }, graph).forward / Math.max(flops, ...Object.values(peaks));
  return Number.isNaN(least) ? 0 : least;
}
