import { printAnnotation } from "#core/dimops";
import type { Operator } from "#core/ir";
import { fieldOf } from "#core/records";
import { NotWritten } from "#systems/arrays";
import { type CellOperand, type CellPrimitive, input, plain } from "./cell-primitive.ts";
import { matrixProduct } from "./matrix-product.ts";

type Kind = "layouts" | "tuples";

/** Element-wise entries of the library, with their primitive and the form of its strategies. */
const elementWise: Readonly<Record<string, readonly [op: string, kind: Kind]>> = {
  identity: ["Identity", "layouts"],
  relu: ["ReLU", "layouts"],
  gelu: ["GeLU", "layouts"],
  gelu_tanh: ["GeLU", "layouts"],
  sigmoid: ["Sigmoid", "layouts"],
  tanh: ["Tanh", "layouts"],
  exp: ["Exp", "layouts"],
  add: ["Add", "layouts"],
  sub: ["Sub", "layouts"],
  mul: ["Mul", "layouts"],
  div: ["Div", "layouts"],
  maximum: ["Maximum", "layouts"],
  minimum: ["Minimum", "tuples"],
  pow: ["Pow", "tuples"],
  neg: ["Neg", "tuples"],
  abs: ["Abs", "tuples"],
  log: ["Log", "tuples"],
  sqrt: ["Sqrt", "tuples"],
  rsqrt: ["Rsqrt", "tuples"],
  square: ["Square", "tuples"],
  silu: ["SiLU", "tuples"],
};

const reductions: Readonly<Record<string, string>> = {
  sum: "ReduceSum",
  mean: "ReduceMean",
  amax: "ReduceMax",
  amin: "ReduceMin",
};

/** The library's default epsilon of norms. */
const usualEpsilon: Readonly<Record<string, number>> = { layer_norm: 1e-5, rms_norm: 1e-6 };

/**
 * The primitive for an operator.
 *
 * @param ranks ranks of its inputs
 * @throws NotWritten if MindSpore has none that accepts a strategy
 */
export function primitiveOf(operator: Operator, ranks: readonly number[]): CellPrimitive {
  const { entry = "", op, points } = operator;
  const found =
    points === undefined
      ? (elementWisePrimitive(operator) ??
        reductionPrimitive(operator, ranks) ??
        otherPrimitive(operator, ranks) ??
        matrixProduct(operator))
      : undefined;
  if (found === undefined && entry === "einsum")
    throw new NotWritten(
      `${operator.name} sums or joins several dims ("${printAnnotation(operator.annotation)}"), and MindSpore has strategies for products of matrices and stacks of them, none for an einsum`,
    );
  if (found === undefined)
    throw new NotWritten(`no primitive of MindSpore is known here that does ${entry || op}`);
  return found;
}

function elementWisePrimitive(operator: Operator): CellPrimitive | undefined {
  const { entry = "", inputs } = operator;
  const [op, kind] = fieldOf(elementWise, entry) ?? [];
  if (op === undefined) return undefined;
  checkArguments(operator, op, []);
  const isErf = entry === "gelu";
  return {
    ...plain(op, inputs.length),
    takesLayouts: kind === "layouts",
    isElementWise: true,
    ...(isErf && { differs: "GeLU of MindSpore is the form with tanh, ours that with erf" }),
  };
}

function reductionPrimitive(
  operator: Operator,
  [rank = 0]: readonly number[],
): CellPrimitive | undefined {
  const op = fieldOf(reductions, operator.entry ?? "");
  if (op === undefined) return undefined;
  checkArguments(operator, op, ["dim", "keepdim"]);
  const { dim, keepdim } = operator.attributes;
  const dims = [dim ?? Array.from({ length: rank }, (_, at) => at)].flat();
  const isKept = keepdim === true || keepdim === 1;
  return {
    ...plain(op, 1),
    arguments: isKept ? { keep_dims: true } : {},
    trailing: [["axis", dims.map(Number)]],
  };
}

function otherPrimitive(operator: Operator, ranks: readonly number[]): CellPrimitive | undefined {
  const [rank = 0] = ranks;
  switch (operator.entry) {
    case "softmax":
    case "log_softmax":
      return softmax(operator);
    case "layer_norm":
    case "rms_norm":
      return norm(operator, ranks);
    case "transpose":
    case "permute":
      return transposed(operator, rank);
    case "embedding":
      checkArguments(operator, "Gather", []);
      return { ...plain("Gather", 0), operands: [input(1), input(0)], trailing: [["axis", 0]] };
    default:
      return undefined;
  }
}

function softmax(operator: Operator): CellPrimitive {
  const op = operator.entry === "softmax" ? "Softmax" : "LogSoftmax";
  checkArguments(operator, op, ["dim"]);
  const axis = Number(operator.attributes.dim ?? -1);
  return { ...plain(op, 1), arguments: { axis }, takesLayouts: op === "Softmax" };
}

/** A norm over the last dims; gamma and beta that the text omits become constant parameters. */
function norm(operator: Operator, [rank = 0, trailing = 1]: readonly number[]): CellPrimitive {
  const isLayer = operator.entry === "layer_norm";
  const op = isLayer ? "LayerNorm" : "RmsNorm";
  checkArguments(operator, op, ["eps"]);
  const epsilon = Number(operator.attributes.eps ?? usualEpsilon[operator.entry ?? ""]);
  const begin = rank - trailing;
  const filled = (name: string, value: "ones" | "zeros"): CellOperand => ({
    kind: "filled",
    ...{ name, value },
  });
  const [, gain = filled("gamma", "ones"), shift = filled("beta", "zeros")] = operator.inputs.map(
    (_, at) => input(at),
  );
  const bounds = { begin_norm_axis: begin, begin_params_axis: begin };
  return {
    ...plain(op, 0),
    arguments: isLayer ? { ...bounds, epsilon } : { epsilon },
    operands: isLayer ? [input(0), gain, shift] : [input(0), gain],
    takesLayouts: true,
    results: isLayer ? 3 : 2,
  };
}

function transposed(operator: Operator, rank: number): CellPrimitive {
  const { dim0, dim1, dims } = operator.attributes;
  checkArguments(operator, "Transpose", ["dim0", "dim1", "dims"]);
  const wrap = (dim: unknown) => (Number(dim) + rank) % rank;
  const order = Array.from({ length: rank }, (_, at) => at);
  const swapped = order.map((at) => {
    if (at === wrap(dim0)) return wrap(dim1);
    return at === wrap(dim1) ? wrap(dim0) : at;
  });
  const perm = Array.isArray(dims) ? dims.map(wrap) : swapped;
  return { ...plain("Transpose", 1), trailing: [["perm", perm]], takesLayouts: true };
}

/** @throws NotWritten if the call has an argument that the primitive lacks */
function checkArguments(
  { attributes, entry }: Operator,
  op: string,
  known: readonly string[],
): void {
  const other = Object.keys(attributes).find((name) => !known.includes(name));
  if (other !== undefined)
    throw new NotWritten(`${entry} has ${other}=, which ${op} of MindSpore does not take here`);
}
