// A system, and what its modules are built from.

export type { BindingParts, SystemBindings } from "../system.ts";
export type {
  OwnManner,
  OwnPassage,
  OwnWords,
  PlaceWriting,
  PlanWriting,
  SystemPlans,
  SystemReading,
} from "../system-plans.ts";
export { moduleCalls } from "./module-calls.ts";
export type { ModuleClasses } from "./module-classes.ts";
export type { OpaqueOperators } from "./opaque-operators.ts";
export { functionTarget, type RegisteredOperators } from "./registered.ts";
export type { AnnotationSource, RegisterOptions, Target } from "./registration.ts";
export type { TensorAccess } from "./tensor-calls.ts";
export type { BackwardCall } from "./tensor-objects.ts";
export type { TensorBindings } from "./tensors.ts";

// Sizes that a text asks its tensors for.

export { type AskedSize, noteNumbers, originOf } from "../asked-numbers.ts";

// Strategies and layouts as a text writes them.

export { choiceLine } from "./choice-line.ts";

// Sizes and shapes while a program is read.

export {
  type Assumed,
  assumedOf,
  assumedValue,
  runFact,
  shapeOf as writtenShapeOf,
  sizeOf,
} from "./assumed.ts";
export { giveRank, rankByName, rankIn, takeRank } from "./guessed-rank.ts";
export { layerSize, layerSizes } from "./layer-size.ts";
export { needsShapes } from "./needs-shapes.ts";

// Calls: their arguments, and operators that several systems share.

export { asWhole, placedItems } from "./argument-checks.ts";
export { isBoolean } from "./boolean-tensors.ts";
export { callFunction } from "./call-function.ts";
export { extremeWord } from "./extremes.ts";
export { refuseKeyword, requireKeywords, typedAs } from "./keyword-checks.ts";
export { leafWord } from "./leaf-word.ts";
export { numberWords, optimizerNumbers } from "./optimizer-numbers.ts";
export { isPlaceRow } from "./place-row.ts";
export { signatureOf, unknownSignature } from "./signature.ts";
export { parameterClass, tensorClass } from "./tensor-class.ts";
export { transposedMatmul } from "./transposed-matmul.ts";

// Diagnostics that several systems report.

export { saySizeOfData } from "./branch-on-data.ts";
export { sayComplex } from "./complex-type.ts";
export { isOtherCase, misspeltMember, readAs } from "./misspelt.ts";
