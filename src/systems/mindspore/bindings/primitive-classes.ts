import { fieldOf } from "#core/records";
import type { Argument } from "#language/python";

/**
 * A primitive class: the library's operator, and the parameters of its constructor and of its
 * calls.
 */
export interface PrimitiveClass {
  readonly entry: string;
  /** Parameters of the constructor, by the entry's names. */
  readonly constructed?: readonly string[];
  /** Parameters of a call, by the entry's names; the entry's own when omitted. */
  readonly called?: readonly string[];
  /** Stem of names for results without a variable; the entry's name when omitted. */
  readonly stem?: string;
}

const same = (entry: string): PrimitiveClass => ({ entry });
const reducing = (entry: string): PrimitiveClass => ({
  entry,
  constructed: ["keepdim"],
  called: ["x", "dim"],
});

const extended = (entry: string): PrimitiveClass => ({
  entry,
  called: ["x", "dim", "keepdim", "dtype"],
});

/** MindSpore's primitives that are operators of our library, by class name. */
const classes: Readonly<Record<string, PrimitiveClass>> = {
  MatMul: { entry: "matmul", constructed: ["transpose_a", "transpose_b"] },
  BatchMatMul: { entry: "matmul", constructed: ["transpose_a", "transpose_b"] },
  MatMulExt: same("matmul"),
  Add: same("add"),
  BiasAdd: same("add"),
  Sub: same("sub"),
  Mul: same("mul"),
  Div: same("div"),
  RealDiv: same("div"),
  Pow: same("pow"),
  Maximum: same("maximum"),
  Minimum: same("minimum"),
  Neg: same("neg"),
  Abs: same("abs"),
  Log: same("log"),
  Sqrt: same("sqrt"),
  Rsqrt: same("rsqrt"),
  Square: same("square"),
  ReLU: same("relu"),
  Cast: { entry: "cast", called: ["x", "dtype"] },
  MeanExt: extended("reduce_mean"),
  SumExt: extended("sum"),
  EmbeddingLookup: { entry: "take", called: ["x", "index", "dim"] },
  GeLU: same("gelu"),
  SiLU: same("silu"),
  Tanh: same("tanh"),
  Sigmoid: same("sigmoid"),
  Exp: same("exp"),
  Softmax: { entry: "softmax", constructed: ["dim"] },
  LogSoftmax: { entry: "log_softmax", constructed: ["dim"] },
  LayerNorm: {
    entry: "layer_norm_with_moments",
    constructed: ["begin_norm_axis", "begin_params_axis", "eps"],
    stem: "layer_norm",
  },
  RmsNorm: { entry: "rms_norm_with_root", constructed: ["eps"], stem: "rms_norm" },
  ReduceSum: reducing("sum"),
  ReduceMean: { ...reducing("reduce_mean"), stem: "mean" },
  ReduceMax: { ...reducing("reduce_max"), stem: "amax" },
  ReduceMin: { ...reducing("reduce_min"), stem: "amin" },
  Transpose: { entry: "permute", called: ["x", "dims"] },
  Reshape: { entry: "reshape", called: ["x", "shape"] },
  Split: { entry: "chunk", constructed: ["dim", "chunks"] },
  Tile: { entry: "repeat", called: ["x", "repeats"] },
  Concat: { entry: "concat", constructed: ["dim"] },
  Dropout: {
    entry: "dropout_with_mask",
    constructed: ["keep_prob", "Seed0", "Seed1", "p"],
    stem: "dropout",
  },
  Embedding: {
    entry: "embedding",
    called: ["ids", "weight", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq"],
  },
  Gather: { entry: "take", constructed: ["batch_dims"], called: ["x", "index", "dim"] },
  GatherD: { entry: "gather", called: ["x", "dim", "index"] },
  SparseGatherV2: { entry: "take", called: ["x", "index", "dim"] },
  TensorScatterUpdate: {
    entry: "tensor_scatter_update",
    called: ["x", "indices", "updates"],
  },
};

/**
 * For each of MindSpore's primitives: its entry in the operator library, and the parameters of its
 * constructor.
 */
export const primitiveFacts: ReadonlyMap<
  string,
  { readonly entry: string; readonly parameters: readonly string[] }
> = new Map(
  Object.entries(classes).map(([name, { entry, constructed = [] }]) => [
    name,
    { entry, parameters: constructed },
  ]),
);

/** The class of a primitive that the operator library has; `undefined` for other names. */
export function classOf(name: string): PrimitiveClass | undefined {
  return Object.hasOwn(classes, name) ? fieldOf(classes, name) : undefined;
}

/** Deprecated names of primitives, with their present names. */
const aliases: Readonly<Record<string, string>> = {
  TensorAdd: "Add",
  GatherV2: "Gather",
  Pack: "Stack",
  Unpack: "Unstack",
  Gelu: "GeLU",
  FastGelu: "FastGeLU",
};

/** The name that a primitive has in a compiled graph. */
export function graphName(name: string): string {
  return fieldOf(aliases, name) ?? name;
}

/** Primitives with a MindSpore rule that is not modelled here; their names are no misspellings. */
const unread: readonly string[] =
  "ApplyRotaryPosEmb BatchMatMulExt CrossEntropyLoss FakeQuantPerChannel FakeQuantPerLayer GenerateEodMaskV2 GridSampler2D Index IndexAddExt LayerNormV3 MinMaxUpdatePerChannel MinMaxUpdatePerLayer MoeFinalizeRouting MoeInitRouting RandomDistribute RepeatInterleave RepeatInterleaveInt RepeatInterleaveTensor SparseSoftmaxCrossEntropyWithLogits TensorDot Unique WKV Max Min Trace ReduceStd TensorDump DumpGradient ScalarToTensor TensorToScalar PReLUGrad Conv1D BatchNormGrad".split(
    " ",
  );

/** Names of primitives that MindSpore has, whether modelled here or not. */
export function classNames(): readonly string[] {
  return [...Object.keys(classes), ...unread];
}

/** Renames an argument from MindSpore's parameter name to the library's. */
export function asOurs(argument: Argument): Argument {
  const ours: Readonly<Record<string, string>> = {
    axis: "dim",
    keep_dims: "keepdim",
    perm: "dims",
    input_params: "x",
    input_indices: "index",
    input_x: "x",
    output_num: "chunks",
    multiples: "repeats",
    epsilon: "eps",
  };
  const name =
    argument.name === undefined ? undefined : (fieldOf(ours, argument.name) ?? argument.name);
  return name === undefined ? argument : { ...argument, name };
}

/** Turns `keep_prob` of Dropout into the drop probability `p`. */
export function asDropped(argument: Argument): Argument {
  const { name, value } = argument;
  if (name !== "keep_prob" || (value.kind !== "float" && value.kind !== "int")) return argument;
  return { ...argument, name: "p", value: { kind: "float", value: 1 - Number(value.value) } };
}
