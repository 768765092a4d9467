import { fieldOf } from "#core/records";
import type { TracedOperator } from "#language/document/bindings";

/** Primitives of MindSpore by the library operators that its functions and Python's operators call. */
const primitives: Readonly<Record<string, string>> = {
  matmul: "MatMulExt",
  cast: "Cast",
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
  sum: "SumExt",
  mean: "ReduceMean",
  amax: "ReduceMax",
  amin: "ReduceMin",
  permute: "Transpose",
  transpose: "Transpose",
  reshape: "Reshape",
  flatten: "Reshape",
  concat: "Concat",
  expand: "BroadcastTo",
  broadcast_to: "BroadcastTo",
  floor_divide: "FloorDiv",
  remainder: "RemainderTensorTensor",
  equal: "Equal",
  ne: "NotEqual",
  less: "Less",
  less_equal: "LessEqual",
  greater: "Greater",
  greater_equal: "GreaterEqual",
  expand_dims: "ExpandDims",
  unsqueeze: "ExpandDims",
  erf: "Erf",
  floor: "Floor",
  ceil: "Ceil",
  sin: "Sin",
  cos: "Cos",
  reciprocal: "Reciprocal",
};

/** Primitives of Python's own operators between a tensor and a number behind it. */
const withNumber: Readonly<Record<string, string>> = {
  Mul: "Muls",
  Div: "Divs",
  RemainderTensorTensor: "RemainderTensorScalar",
  Equal: "EqScalar",
};

/** The primitive that a call becomes in MindSpore's graph (2.10, asked of its compiler). */
export function primitiveName(traced: TracedOperator): string {
  const { op, primitive, entry, inputs, reducesInside } = traced;
  if (primitive !== undefined) return op;
  const name = fieldOf(primitives, entry ?? "") ?? fieldOf(primitives, op) ?? op;
  const isOperator = !reducesInside && inputs.filter(({ kind }) => kind === "tensor").length === 1;
  return (isOperator ? fieldOf(withNumber, name) : undefined) ?? name;
}

/** Whether a primitive has the number beside its tensor as an attribute, so that no tuple stands for it. */
export function holdsNumber(op: string): boolean {
  return Object.values(withNumber).includes(op);
}
