// Gestures of the canvas as edits of the text.

export { applyGesture, gestureIn } from "./gesture.ts";
export type {
  DimGesture,
  Gesture,
  GestureOutcome,
  LinkedTensor,
  StepsGesture,
} from "./gesture-kinds.ts";
export { freeAxisName } from "./gesture-mesh.ts";
export { withPin } from "./gesture-pin.ts";
export { redistributionChanges } from "./redistribution-changes.ts";

// Memory: the tensors on a device, and ways to reduce their bytes.

export type { HeldKind, MemoryItem } from "./alive-items.ts";
export { type MemoryParts, memoryParts } from "./memory-items.ts";
export { memoryRemedies, type Remedy, remedyPatience, remedyText } from "./memory-remedies.ts";
export { type RecomputeEdit, type RecomputeSelection, recomputeEdit } from "./recompute-edit.ts";

// Requests to a planner, and plans written into the text.

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
  type PlannedCosts,
  plannedAnalysis,
  plannedCosts,
  unpricedPart,
  /** @internal */ withoutOverlap,
} from "./planned-costs.ts";
export { type UnwrittenPlan, type WritablePlan, writablePlan } from "./writable-plan.ts";
export { createPlanWriter, type PlanWriter } from "./written-plan.ts";

// Other texts for one redistribution, with their costs.

export { type AlternativeText, alternativeTexts } from "./alternatives.ts";
export { priceAlternative, type TextCost } from "./price-alternative.ts";
