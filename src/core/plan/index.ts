export { freeAxes } from "./candidates.ts";
export { checkStrategy, isSplittable, splittableAxes } from "./check.ts";
export {
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
export { createPlanMemory, type PlanMemory } from "./plan-memory.ts";
export {
  carriedOperands,
  cutDim,
  isProjected,
  mentions,
  producedLayout,
  wantedLayout,
} from "./projection.ts";
export { propagate, type Requests } from "./propagate.ts";
export { isCutAs, unsaidStrategies, type WantedStrategies } from "./unsaid.ts";
export { type DeviceBoxes, indexPieces, mayReadWindows, windowsOf } from "./windows.ts";
