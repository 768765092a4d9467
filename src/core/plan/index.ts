export { checkStrategy, isSplittable, splittableAxes } from "./check.ts";
export { type Microbatches, runShape } from "./microbatches.ts";
export type { AsGiven, OperatorPlan, Placement, Plan, ReshardRequest, Strategy } from "./plan.ts";
export { createPlanMemory, type PlanMemory } from "./plan-memory.ts";
export { carriedOperands, mentions, producedLayout, wantedLayout } from "./projection.ts";
export { propagate, type Requests } from "./propagate.ts";
export { reshardMatches, reshardRequestOf } from "./reshard-request.ts";
export { isProjected } from "./tiling.ts";
export { type DeviceBoxes, indexPieces, windowsOf } from "./windows.ts";
