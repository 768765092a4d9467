import { type Analysis, analyze, createCompileCache } from "#compile";
import { modelFlops } from "#core/cost";
import { assumedHardware } from "#core/cost/machines";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import type { Document } from "#language/document";
import { type PlanInText, planIntoText } from "./plan-into-text.ts";
import { withPlan } from "./planned-costs.ts";
import type { PlannedProgram } from "./planned-words.ts";

/** A plan as a text that has it, and the analysis of that text. */
export interface WrittenPlan {
  readonly text: PlanInText;
  /** The analysis of the text; that of the plan alone if no text has it. */
  readonly analysis: Analysis;
}

/** Writes plans of one document into its text; the cost of a plan is that of its text. */
export interface PlanWriter {
  /** Writes and compiles a plan once, however often it is asked for. */
  readonly written: (plan: PlannedProgram) => WrittenPlan;
  /** Compiles a plan once, without a text for it. */
  readonly planned: (plan: PlannedProgram) => Analysis;
  /** The analysis of the present text; `undefined` if it surely takes longer than `seconds`. */
  readonly standingWithin: (seconds: number) => Analysis | undefined;
}

/**
 * A writer of plans with a cache that they share.
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
 * The least seconds of a text without any split: every device does the whole forward pass, at the
 * peak of its fastest arithmetic. 0 for any other text.
 */
function leastSeconds({ graph, mesh, requests }: Document): number {
  if (requests.operators.size > 0 || requests.placements.size > 0) return 0;
  const { flops, peaks } = mesh.platform?.hardware ?? assumedHardware;
  const least = modelFlops({ graph }, graph).forward / Math.max(flops, ...Object.values(peaks));
  return Number.isNaN(least) ? 0 : least;
}
