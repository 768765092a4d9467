export type { Optimized, PlannedLayouts } from "./optimize.ts";
export { optimize } from "./optimize.ts";
export type { PlanRequest } from "./problem.ts";
