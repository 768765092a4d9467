export { arrives } from "./arrives.ts";
export type { PricedMove, PriceMove, RouteAxis } from "./axis-price.ts";
export { AxisRoutes, type RouteStep } from "./axis-routes.ts";
export { type AxisState, layoutOf, stateOf } from "./axis-state.ts";
export { FusedRoutes } from "./fused-routes.ts";
export { lowerBound } from "./lower-bound.ts";
export { planReshard, type ReshardOptions, type ReshardPlan, sentSteps } from "./plan-reshard.ts";
export { createReshardPlanner, type PlanReshard } from "./planner.ts";
export { type PricedSteps, priceSteps } from "./price.ts";
export { launchOf, type PriceOptions } from "./price-options.ts";
export {
  createRoutePlanner,
  type RoutePlanner,
} from "./route-planner.ts";
export { RouteTimes } from "./route-times.ts";
export type { ReshardStep } from "./step.ts";
export { type FasterRange, fasterRange, type TimeLine, timeLine } from "./time-line.ts";
