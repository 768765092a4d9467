// A text, compiled.

export { compile, compileDocument } from "./compile.ts";
export type {
  Compiled,
  CompileOptions,
  EdgeComparison,
  OwnPlan,
  Reader,
  TensorRead,
  TensorView,
} from "./compiled.ts";
export { createDocumentCompiler } from "./document-compiler.ts";
export { redistributionChanges } from "./redistribution-changes.ts";
export { entryKey, shareStructure } from "./share-structure.ts";

// Gestures of the canvas as edits of the text.

export { applyGesture, gestureIn } from "./gesture.ts";
export type {
  Alike,
  DimGesture,
  Gesture,
  GestureOutcome,
  StepsGesture,
} from "./gesture-kinds.ts";
export { freeAxisName } from "./gesture-mesh.ts";
export { withPin } from "./gesture-pin.ts";

// Where a tensor stands between its steps, and who reads it.

export {
  readBy,
  restState,
  shownLayout,
  shownState,
  stateName,
  type TensorState,
  withReaders,
} from "./tensor-states.ts";

// Memory: what a device holds, and what would reduce it.

export type { HeldKind, MemoryItem } from "./alive-items.ts";
export { type MemoryParts, memoryParts } from "./memory-items.ts";
export { memoryRemedies, type Remedy, remedyPatience, remedyText } from "./memory-remedies.ts";
export { type Again, type RecomputeEdit, recomputeEdit } from "./recompute-edit.ts";

// What is asked of a planner, and its plan written into the text.

export { type PlanInText, planIntoText } from "./plan-into-text.ts";
export { withLinkSpeed } from "./plan-links.ts";
export { meshCandidate } from "./plan-mesh.ts";
export { type PlanPart, type PlanParts, planParts } from "./plan-parts.ts";
export {
  /** @internal */ microbatchesIn,
  type PlanQuestion,
  planDocument,
  planQuestion,
} from "./plan-question.ts";
export { type ChosenSizes, type SizeChoice, sizeChoices, withSizes } from "./plan-sizes.ts";
export {
  costsOf,
  /** @internal */ inOrder,
  plannedAnalysis,
  plannedCosts,
  unpricedPart,
} from "./planned-costs.ts";
export { createPlanWriter, type PlanWriter } from "./written-plan.ts";

// Other texts for one redistribution, and what they cost.

export { type AlternativeText, alternativeTexts } from "./alternatives.ts";
export { type Weight, weighAlternative } from "./weigh-alternative.ts";

// Redistributions and programs as other systems run them.

export {
  type EdgeRow,
  type OperatorRow,
  type PolicyOutcome,
  type SystemChoices,
  type SystemRow,
  sameAsOurs,
  type WrittenGraph,
  type WrongStep,
} from "#systems/system";
export { comparePolicies } from "./compare-policies.ts";
export { createSystemSteps, policyNames } from "./system-answers.ts";
export { type SystemRun, type SystemTotals, upstreamRun } from "./upstream-run.ts";

// Graphs in the formats of other systems.

export { exportGraph } from "./export-graph.ts";
