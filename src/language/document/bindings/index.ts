// A system, and what its modules are built from.

export type {
  BindingParts,
  OwnManner,
  OwnPassage,
  OwnWords,
  PlaceWriting,
  PlanWriting,
  SystemBindings,
  SystemPlans,
  SystemReading,
} from "../system.ts";
export { moduleCalls } from "./module-calls.ts";
export type { ModuleClasses } from "./module-classes.ts";
export type { OpaqueOperators } from "./opaque-operators.ts";
export { functionTarget, type RegisteredOperators } from "./registered.ts";
export type { AnnotationSource, RegisterOptions, Target } from "./registration.ts";
export type { TensorAccess } from "./tensor-calls.ts";
export type { TensorBindings } from "./tensors.ts";

// What a run of a program records.

export { type AskedSize, noteNumbers, originOf } from "../asked-numbers.ts";
export type { BuiltGraph } from "../build-graph.ts";
export { runsOf } from "../checkpoints.ts";
export { keepOneStep } from "../one-step.ts";
export type { Recorder } from "../recorder.ts";
export type {
  AssignedPiece,
  Level,
  PolicyNodeName,
  PolicyPartition,
  StrategyCall,
  TextChoice,
  Trace,
  TrainPolicy,
  WrittenPolicy,
} from "../trace.ts";
export type {
  Constant,
  FunctionBody,
  PlainOperand,
  TracedOperator,
  TracedTensor,
} from "../traced.ts";

// Strategies and layouts as a text writes them.

export { type AxisLists, axesText } from "../axes-text.ts";
export { behindImports } from "../behind-imports.ts";
export { strategySide } from "../repetitions.ts";
export type {
  CalledLayout,
  LayoutSpec,
  LayoutStrategy,
  MapEntry,
  PrimitiveCall,
  ShardStrategy,
  TupleStrategy,
  WrittenAxes,
  WrittenLayout,
  WrittenPrimitive,
} from "../written-layouts.ts";
export { choiceLine } from "./choice-line.ts";

// Meshes that a text describes.

export { arrange } from "../arrangement.ts";
export { completed, meshFor, meshOfSpec } from "../document-mesh.ts";

// Sizes and shapes while a program is read.

export { boundOf, shapeOf } from "../bind-traced.ts";
export { freshSize, knownSize, provisional, requireDivisor, type Size } from "../size.ts";
export { type Assumed, assumedOf, runFact, shapeOf as writtenShapeOf, sizeOf } from "./assumed.ts";
export { followsGuess, giveRank, rankByName, rankIn, takeRank } from "./guessed-rank.ts";
export { layerSize, layerSizes } from "./layer-size.ts";
export { needsShapes } from "./needs-shapes.ts";

// Python values.

export { jsonOf, pythonOf } from "./plain-json.ts";
export {
  bindArguments,
  hostFunction,
  integer,
  integerOf,
  integersOf,
  itemsOf,
  namespace,
  none,
  numberOf,
  text,
  textOf,
} from "./values.ts";

// Calls: their arguments, and operators that several systems share.

export { asWhole, placedItems } from "./argument-checks.ts";
export { isBoolean } from "./boolean-tensors.ts";
export { callFunction } from "./call-function.ts";
export { extremeWord } from "./extremes.ts";
export { refuseKeyword, requireKeywords, typedAs } from "./keyword-checks.ts";
export { leafWord } from "./native.ts";
export { isPlaceRow } from "./place-row.ts";
export { signatureOf, unknownSignature } from "./signature.ts";
export { parameterClass, tensorClass } from "./tensor-class.ts";
export { transposedMatmul } from "./transposed-matmul.ts";

// Diagnostics that several systems report.

export { saySizeOfData } from "./branch-on-data.ts";
export { sayComplex } from "./complex-type.ts";
export { DTypeValues, dtypeOf, longDType, typeSaid } from "./dtype-values.ts";
export { isOtherCase, misspeltMember, readAs } from "./misspelt.ts";

// Data types of values.

export { castArguments, castingNow, inSingle } from "./casting.ts";
export { typeOfTensorClass } from "./tensor-casts.ts";
export type { Casting, CastingRules, Typed, ValueTypes } from "./value-types.ts";
