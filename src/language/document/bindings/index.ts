// System definitions and the bindings of their modules.

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

// Tensor sizes that a text reads.

export { type AskedSize, noteNumbers, originOf } from "../asked-numbers.ts";

// Strategies and layouts written in a text.

export { choiceLine } from "./choice-line.ts";

// Sizes and shapes during the reading of a program.

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

// Calls: argument checks, and operators shared by several systems.

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

// Diagnostics shared by several systems.

export { saySizeOfData } from "./branch-on-data.ts";
export { sayComplex } from "./complex-type.ts";
export { isOtherCase, misspeltMember, readAs } from "./misspelt.ts";
