export { solveInstance } from "./instance.ts";
export type { Instance } from "./instance-problem.ts";
export { parseMemoryFormula } from "./memory-formula.ts";
export type { Optimized, OptimizeOutcome, PlannedLayouts } from "./optimize.ts";
export { optimize } from "./optimize.ts";
export {
  type Pattern,
  type PatternedPlan,
  type PatternName,
  patternsOf,
  patternText,
} from "./patterns.ts";
export type { PlanRequest } from "./problem.ts";
