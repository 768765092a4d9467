// The cheapest collectives between two layouts.

export { lowerBound } from "./lower-bound.ts";
export {
  communicationCount,
  createReshardPlanner,
  type PlanReshard,
  planReshard,
  type ReshardOptions,
  type ReshardPlan,
} from "./plan-reshard.ts";
export { type PricedSteps, priceSteps, type ReshardStep, reachesLayout } from "./price.ts";
export { collectiveLaunchSeconds, type PriceOptions } from "./rates.ts";
export { fasterRange, type TimeLine, timeLine } from "./time-line.ts";

// Routes of single-axis steps, as cost models price them.

export type { PricedMove, PriceMove, RouteAxis } from "./axis-price.ts";
export { AxisRoutes } from "./axis-routes.ts";
export { type AxisState, layoutOf, stateOf } from "./axis-state.ts";
export { FusedRoutes } from "./fused-routes.ts";
export { createRoutePlanner } from "./route-planner.ts";
export { RouteTimes } from "./route-times.ts";
