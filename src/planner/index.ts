// The fastest plan of a graph.

export { parseMemoryFormula } from "./memory-formula.ts";
export { type MeshShape, meshShapes } from "./mesh-shapes.ts";
export { type OptimizeOptions, optimize } from "./optimize.ts";
export type { Optimized, OptimizeOutcome, PlannedLayouts } from "./optimized.ts";
export { PlannerMemory } from "./planner-memory.ts";
export type { PlanRequest } from "./problem.ts";

// Reasons for a plan, or for having none.

export {
  alternativesOf,
  comparisonOf,
  type PlanAlternative,
  unavailableCuts,
} from "./alternatives.ts";
export { conflictOf, demandText } from "./conflict.ts";
export { strategyText } from "./planned.ts";
export { reasonsOf } from "./reasons.ts";

// Named patterns that a plan shows.

export { groundsOf, type PatternPart } from "./pattern-grounds.ts";
export { type PlanSentence, patternSentences } from "./pattern-sentences.ts";
export { type PatternedPlan, patternsOf, patternText } from "./patterns.ts";

// The same search over instances of its own format.

export { solveInstance } from "./instance.ts";
export type { Instance } from "./instance-problem.ts";
