import { type Analysis, analyze, createCompileCache } from "#compile";
import { modelFlops } from "#core/cost";
import { assumedHardware } from "#core/cost/machines";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import type { Document } from "#language/document";
import { type PlanInText, planIntoText } from "./plan-into-text.ts";
import { withPlan } from "./planned-costs.ts";
import type { PlannedProgram } from "./planned-words.ts";

/** A plan as the text that says it, and what that text compiles to. */
export interface WrittenPlan {
  readonly text: PlanInText;
  /** Of the text; of the plan alone where no text says it. */
  readonly analysis: Analysis;
}

/** Writes plans of one document into its text; what a plan takes is what its text takes. */
export interface PlanWriter {
  /** Writes and compiles a plan once, however often it is asked for. */
  readonly written: (plan: PlannedProgram) => WrittenPlan;
  /** Compiles a plan once without a text that says it. */
  readonly planned: (plan: PlannedProgram) => Analysis;
  /** The analysis of the text as it is; `undefined` where it surely takes longer than `seconds`. */
  readonly standingWithin: (seconds: number) => Analysis | undefined;
}

/**
 * A writer of plans, which shares what it works out between them.
 *
 * @param planReshard plans redistributions, for whoever has others to plan on the same mesh
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
 * Seconds that a text takes at least that asks for no split: every device then does the whole
 * forward pass, at the peak of its fastest arithmetic. 0 of any other text.
 */
function leastSeconds({ graph, mesh, requests }: Document): number {
  if (requests.operators.size > 0 || requests.placements.size > 0) return 0;
  const { flops, peaks } = mesh.platform?.hardware ?? assumedHardware;
  const least = modelFlops({ graph }, graph).forward / Math.max(flops, ...Object.values(peaks));
  return Number.isNaN(least) ? 0 : least;
}
