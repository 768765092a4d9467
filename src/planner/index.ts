export {
  type Alternative,
  alternativesOf,
  type Comparison,
  comparisonOf,
  type Difference,
  type UnavailableCut,
  unavailableCuts,
} from "./alternatives.ts";
export { type Conflict, conflictOf, type Demand, demandText } from "./conflict.ts";
export { solveInstance } from "./instance.ts";
export type { Instance } from "./instance-problem.ts";
export { parseMemoryFormula } from "./memory-formula.ts";
export { type MeshShape, meshShapes } from "./mesh-shapes.ts";
export { type OptimizeOptions, optimize } from "./optimize.ts";
export type { Optimized, OptimizeOutcome, PlannedLayouts } from "./optimized.ts";
export { type Grounds, groundsOf, type PatternPart } from "./pattern-grounds.ts";
export {
  type Pattern,
  type PatternedPlan,
  type PatternName,
  patternsOf,
  patternText,
} from "./patterns.ts";
export { type GivenPlan, strategyText } from "./planned.ts";
export { PlannerMemory } from "./planner-memory.ts";
export type { PlanRequest } from "./problem.ts";
export { type Decided, type Reason, reasonsOf, type Standing } from "./reasons.ts";
