import { createStepTimeCache, type StepTimeCache } from "#core/cost";
import { createPlanMemory, type PlanMemory } from "#core/plan";
import type { SystemReshard } from "#core/program";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import type { KnownCalls, TrainingGraph } from "#core/training";
import { shareStructureExactly } from "./share-structure.ts";
import { createSystemSteps } from "./system-answers.ts";

/** Results kept between versions of a document, only to speed up the next compile. */
export interface CompileCache {
  readonly planReshard: PlanReshard;
  readonly plans: PlanMemory;
  readonly systems: SystemReshard;
  readonly calls: KnownCalls;
  readonly works: StepTimeCache;
  /**
   * Replaces the parts of a training step that are equal to the last step's by the same objects, so
   * that results kept per object are found again.
   */
  readonly sharedStep: (step: TrainingGraph) => TrainingGraph;
}

/** An empty cache. */
export function createCompileCache(): CompileCache {
  return {
    planReshard: createReshardPlanner(),
    plans: createPlanMemory(),
    systems: createSystemSteps(),
    calls: new Map(),
    works: createStepTimeCache(),
    sharedStep: createSharedSteps(),
  };
}

function createSharedSteps(): CompileCache["sharedStep"] {
  let last: TrainingGraph | undefined;
  return (step) => {
    last = last === undefined ? step : shareStructureExactly(last, step);
    return last;
  };
}
