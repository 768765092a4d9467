export { arrange } from "../arrangement.ts";
export { type AxisLists, axesText } from "../axes-text.ts";
export { behindImports } from "../behind-imports.ts";
export { boundOf, shapeOf } from "../bind-traced.ts";
export type { BuiltGraph } from "../build-graph.ts";
export { completed, meshFor, meshOfSpec } from "../document-mesh.ts";

export type { Recorder } from "../recorder.ts";
export { strategySide } from "../repetitions.ts";
export { freshSize, knownSize, provisional, requireDivisor, type Size } from "../size.ts";
export type {
  BindingParts,
  OwnManner,
  OwnPassage,
  OwnWords,
  PlanWriting,
  ReadingSystem,
  SystemBindings,
  SystemPlans,
  SystemReading,
} from "../system.ts";
export type {
  AssignedPiece,
  Level,
  PolicyNodeName,
  PolicyPartition,
  StrategyCall,
  TextChoice,
  Trace,
  WrittenPolicy,
} from "../trace.ts";
export type { Constant, FunctionBody, TracedOperator, TracedTensor } from "../traced.ts";
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
export { asWhole, placedItems } from "./argument-checks.ts";
export { assumedOf, shapeOf as writtenShapeOf, sizeOf } from "./assumed.ts";
export { isBoolean } from "./boolean-tensors.ts";
export { saySizeOfData } from "./branch-on-data.ts";
export { callFunction } from "./call-function.ts";
export { choiceLine } from "./choice-line.ts";
export { sayComplex } from "./complex-type.ts";
export { extremeWord } from "./extremes.ts";
export { rankByName, takeRank } from "./guessed-rank.ts";
export { refuseKeyword, requireKeywords, typedAs } from "./keyword-checks.ts";
export { type LayerCall, layerSize, layerSizes } from "./layer-size.ts";
export { isOtherCase, misspeltMember, readAs } from "./misspelt.ts";
export { moduleCalls } from "./module-calls.ts";
export type { ModuleClasses } from "./module-classes.ts";
export { needsShapes } from "./needs-shapes.ts";
export type { OpaqueOperators } from "./opaque-operators.ts";
export { jsonOf, pythonOf } from "./plain-json.ts";
export { functionTarget, type RegisteredOperators } from "./registered.ts";
export type { AnnotationSource, RegisterOptions, Target } from "./registration.ts";
export { signatureOf, unknownSignature } from "./signature.ts";
export type { TensorAccess } from "./tensor-calls.ts";
export type { TensorBindings } from "./tensors.ts";
export { transposedMatmul } from "./transposed-matmul.ts";
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
