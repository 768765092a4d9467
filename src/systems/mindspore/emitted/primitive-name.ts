import { fieldOf } from "#core/records";
import type { TracedOperator } from "#language/document/words";

/** Primitives of MindSpore by the library operators that its functions and Python's operators call. */
const primitives: Readonly<Record<string, string>> = {
  matmul: "MatMul",
  add: "Add",
  sub: "Sub",
  mul: "Mul",
  div: "Div",
  pow: "Pow",
  maximum: "Maximum",
  minimum: "Minimum",
  neg: "Neg",
  abs: "Abs",
  log: "Log",
  sqrt: "Sqrt",
  rsqrt: "Rsqrt",
  square: "Square",
  relu: "ReLU",
  gelu: "GeLU",
  silu: "SiLU",
  tanh: "Tanh",
  sigmoid: "Sigmoid",
  exp: "Exp",
  softmax: "Softmax",
  log_softmax: "LogSoftmax",
  sum: "ReduceSum",
  mean: "ReduceMean",
  amax: "ReduceMax",
  amin: "ReduceMin",
  permute: "Transpose",
  transpose: "Transpose",
  reshape: "Reshape",
  flatten: "Reshape",
  concat: "Concat",
};

/** The primitive that a call becomes in MindSpore's graph. */
export function primitiveName({ op, primitive, entry }: TracedOperator): string {
  if (primitive !== undefined) return op;
  return fieldOf(primitives, entry ?? "") ?? op;
}
