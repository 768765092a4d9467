import { fieldOf } from "#core/records";
import type { Argument } from "#language/python";

/** A primitive class: the operator of our library, and what its constructor and its calls take. */
export interface PrimitiveClass {
  readonly entry: string;
  /** Parameters of the constructor, as the entry calls them. */
  readonly constructed?: readonly string[];
  /** Parameters of a call, as the entry calls them; its own when unsaid. */
  readonly called?: readonly string[];
  /** How its results without a variable are called; after the entry when unsaid. */
  readonly stem?: string;
}

const same = (entry: string): PrimitiveClass => ({ entry });
const product: PrimitiveClass = {
  entry: "matmul",
  constructed: ["transpose_a", "transpose_b"],
};

function reducing(entry: string, stem?: string): PrimitiveClass {
  const parameters = { constructed: ["keepdim"], called: ["x", "dim"] };
  return { entry, ...parameters, ...(stem !== undefined && { stem }) };
}

const extended = (entry: string): PrimitiveClass => ({
  entry,
  called: ["x", "dim", "keepdim", "dtype"],
});

/** Primitives with the name of their operator, in other letters. */
const sameNamed = [
  ..."Add Sub Mul Div Pow Maximum Minimum Neg Abs Log Sqrt Rsqrt Square ReLU".split(" "),
  ..."GeLU SiLU Tanh Sigmoid Exp Embedding".split(" "),
];

/** MindSpore's primitives that are operators of our library, by class name. */
const classes: Readonly<Record<string, PrimitiveClass>> = {
  ...{ MatMul: product, BatchMatMul: product, MatMulExt: same("matmul") },
  ...Object.fromEntries(sameNamed.map((name) => [name, same(name.toLowerCase())])),
  ...{ BiasAdd: same("add"), RealDiv: same("div") },
  Cast: { entry: "cast", called: ["x", "dtype"] },
  ...{ MeanExt: extended("reduce_mean"), SumExt: extended("sum") },
  EmbeddingLookup: { entry: "take", called: ["x", "index", "dim"] },
  Softmax: { entry: "softmax", constructed: ["dim"] },
  LogSoftmax: { entry: "log_softmax", constructed: ["dim"] },
  LayerNorm: {
    entry: "layer_norm_with_moments",
    constructed: ["begin_norm_axis", "begin_params_axis", "eps"],
    stem: "layer_norm",
  },
  RmsNorm: { entry: "rms_norm_with_root", constructed: ["eps"], stem: "rms_norm" },
  ...{ ReduceSum: reducing("sum"), ReduceMean: reducing("reduce_mean", "mean") },
  ...{ ReduceMax: reducing("reduce_max", "amax"), ReduceMin: reducing("reduce_min", "amin") },
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
  Gather: { entry: "take", constructed: ["batch_dims"], called: ["x", "index", "dim"] },
  TensorScatterUpdate: { entry: "tensor_scatter_update", called: ["x", "indices", "updates"] },
};

/** What MindSpore's primitives run by, and which parameters their construction takes. */
export const primitiveFacts: ReadonlyMap<
  string,
  { readonly entry: string; readonly parameters: readonly string[] }
> = new Map(
  Object.entries(classes).map(([name, { entry, constructed = [] }]) => [
    name,
    { entry, parameters: constructed },
  ]),
);

/** A primitive that is an operator of our library, by MindSpore's name. */
export function classOf(name: string): PrimitiveClass | undefined {
  return Object.hasOwn(classes, name) ? fieldOf(classes, name) : undefined;
}

/** Other names of primitives. */
const aliases: Readonly<Record<string, string>> = {
  TensorAdd: "Add",
  GatherV2: "Gather",
  SparseGatherV2: "Gather",
  Pack: "Stack",
  Unpack: "Unstack",
  Gelu: "GeLU",
  FastGelu: "FastGeLU",
};

/** The name that a primitive has in a compiled graph. */
export function graphName(name: string): string {
  return fieldOf(aliases, name) ?? name;
}

/** Primitives that MindSpore knows how to split and this reading does not: no slips of other names. */
const unread: readonly string[] =
  "ApplyRotaryPosEmb BatchMatMulExt CrossEntropyLoss DSDMatmul FakeQuantPerChannel FakeQuantPerLayer Gamma GenerateEodMaskV2 GetNext GridSampler2D Index IndexAddExt InplaceFloorDivides InplaceSubScalar LayerNormV3 MinMaxUpdatePerChannel MinMaxUpdatePerLayer MoeFinalizeRouting MoeInitRouting RandomDistribute RepeatInterleave RepeatInterleaveInt RepeatInterleaveTensor SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits TensorDot Unique WKV Max Min Trace ReduceStd TensorDump DumpGradient ScalarToTensor TensorToScalar PReLUGrad Conv1D BatchNormGrad".split(
    " ",
  );

/** The names of primitives that MindSpore has, read here or not. */
export function classNames(): readonly string[] {
  return [...Object.keys(classes), ...unread];
}

/** MindSpore's names of parameters as the library has them. */
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

/** How likely an element is kept, as how likely it is dropped. */
export function asDropped(argument: Argument): Argument {
  const { name, value } = argument;
  if (name !== "keep_prob" || (value.kind !== "float" && value.kind !== "int")) return argument;
  return { ...argument, name: "p", value: { kind: "float", value: 1 - Number(value.value) } };
}
