export { arrives } from "./arrives.ts";
export { lowerBound } from "./lower-bound.ts";
export { planReshard, type ReshardOptions, type ReshardPlan, sentSteps } from "./plan-reshard.ts";
export { createReshardPlanner, type PlanReshard } from "./planner.ts";
export { type PricedSteps, type PriceOptions, priceSteps } from "./price.ts";
export type { ReshardStep } from "./step.ts";
