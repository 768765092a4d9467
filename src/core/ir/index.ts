// The graph of a program: tensors, operators, dtypes.

export type { Attribute, Attributes } from "./attributes.ts";
export { bytesOf, type DType, nearestDType, parseDType } from "./dtype.ts";
export {
  type Graph,
  type IndexAxis,
  matcherOf,
  type Operand,
  type OperandDim,
  type Operator,
  type OperatorId,
  operatorId,
  operatorsById,
  type Phase,
  type PointKernel,
  type Status,
  type Tensor,
  type TensorId,
  type TensorRole,
  tensorId,
  tensorsById,
  unknownTensor,
} from "./graph.ts";
export { parameterNumbers } from "./parameter-numbers.ts";

// The modules of a program, and what operators are called on screen.

export {
  anyElement,
  isModuleNode,
  type ModuleNode,
  modulePathParts,
  moduleTree,
  operatorLabels,
  operatorsIn,
} from "./module-tree.ts";

// What texts call operators.

export {
  type OperatorTargets,
  operatorTargets,
  type TargetedOperators,
} from "./operator-targets.ts";

// The dtypes of results.

export {
  isFloat,
  mixedTypes,
  promotedPair,
  resultType,
  type TypedOperand,
  type TypeRule,
} from "./result-types.ts";

// The library of operators, and calls of it.

export { bindCall, callOf, integersIn, linearGroups } from "./bind-call.ts";
export { type BoundCall, batchDims, type CallOperand, type CallShapes } from "./call.ts";
export type { Domain, Gradient, GradientOperand, GradientStep, LibraryEntry } from "./entry.ts";
export { mostResults } from "./joining.ts";
export { entries, entryOf, library } from "./library.ts";
export { createLikeness } from "./likeness.ts";

// What operators compute, and how that may be cut.

export {
  type Body,
  type Combine,
  type Definition,
  type Expr,
  type Loop,
  positionName,
  type Setting,
  type Table,
} from "./body.ts";
export {
  type CutsOfBody,
  cutsOfBody,
  markedAnnotation,
  usedTables,
  withCutsOfBody,
} from "./body-cuts.ts";
export { isReshape } from "./movement.ts";
export { type OperatorBody, operatorBody } from "./operator-body.ts";
export { printBody, printGradient } from "./print-body.ts";
export { type ScalarFunction, type ScalarRule, scalarRules, standInNumber } from "./scalar.ts";

// Operators that run a kernel at every point of their index space.

export type { PointOutput } from "./point-body.ts";
export { bindPoint, cellsPerPoint, pointKernel } from "./point-kernel.ts";

// In whose memory tensors lie, and what of them is kept for the backward pass.

export type { KeepRule, Kept } from "./entry-keeps.ts";
export type { CopiedOperand } from "./product-copies.ts";
export { type Storages, storagesOf, withStrides } from "./storages.ts";

// Functions that the user registered.

export {
  type BodyCall,
  type BodyOutcome,
  type BodyPiece,
  sameShape,
  type TraceBody,
  type TracedBody,
} from "./traced-body.ts";

// Gradients.

export { gradientAnnotation } from "./gradient-annotation.ts";
export { gradientOf } from "./gradient-of.ts";
