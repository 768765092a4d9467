// The graph of a program: tensors, operators, dtypes.

export type { Attribute, Attributes } from "./attributes.ts";
export { bytesOf, type DType, nearestDType, parseDType } from "./dtype.ts";
export {
  type GradientDependence,
  type Graph,
  type IndexAxis,
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
  wildcardMatcher,
} from "./graph.ts";
export { parameterNumbers } from "./parameter-numbers.ts";

// The modules of a program, and what operators are called on screen.

export {
  isModuleNode,
  layerPaths,
  type ModuleNode,
  modulePathParts,
  moduleTree,
  operatorLabels,
  operatorsIn,
  wildcardPath,
} from "./module-tree.ts";

// Names of operators in texts.

export {
  type OperatorTargets,
  operatorTargets,
  type TargetedOperators,
} from "./operator-targets.ts";

// The library of operators, and calls of it.

export { bindCall, callOf, integersIn, linearGroups } from "./bind-call.ts";
export { type BoundCall, batchDims, type CallOperand, type CallShapes } from "./call.ts";
export type { Domain, Gradient, GradientOperand, GradientStep, LibraryEntry } from "./entry.ts";
export { maxResults } from "./joining.ts";
export { entries, entryOf, library } from "./library.ts";
export { createStructuralKey } from "./structural-key.ts";

// Facts about operators: which dims a product sums, which operators only reshape.

export { axisOfDim, matrixDims } from "./matrix-dims.ts";
export { isReshape } from "./reshapes.ts";

// Gradients.

export { gradientAnnotation } from "./gradient-annotation.ts";
export { gradientOf } from "./gradient-of.ts";
