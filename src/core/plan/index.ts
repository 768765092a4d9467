// Plans: how every operator of a graph is split.

export { checkStrategy, isSplittable, splittableAxes } from "./check.ts";
export {
  type CutLimits,
  graphOfRun,
  type Microbatches,
  type OperatorPlan,
  type Placement,
  type Plan,
  type ReshardRequest,
  reshardMatches,
  reshardRequestOf,
  runShape,
  type Strategy,
  type Unverified,
} from "./plan.ts";

// From what the text asks for to a whole plan, and back.

export { freeAxes } from "./candidates.ts";
export { createPlanMemory, type PlanMemory } from "./plan-memory.ts";
export { propagate, type Requests } from "./propagate.ts";
export { isCutAs, strategiesToWrite, type WantedStrategies } from "./strategies-to-write.ts";

// Operators in stages, where tables of their bodies combine over cut axes.

export { stageOperators } from "./staged-graph.ts";

// The layouts and boxes that follow for operands.

export {
  carriedOperands,
  cutDim,
  isProjected,
  producedLayout,
  usesIdentifier,
  wantedLayout,
} from "./projection.ts";
export { indexPieces, mayReadWindows, windowsOf } from "./windows.ts";
