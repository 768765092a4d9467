export { bytesOf, type DType, parseDType } from "./dtype.ts";
export {
  type Graph,
  type IndexAxis,
  type Operand,
  type OperandDim,
  type Operator,
  type OperatorId,
  operatorId,
  type Status,
  type Tensor,
  type TensorId,
  tensorId,
} from "./graph.ts";
export {
  broadcastAnnotation,
  type CallShapes,
  type KnownSize,
  type LibraryEntry,
  library,
} from "./library.ts";
