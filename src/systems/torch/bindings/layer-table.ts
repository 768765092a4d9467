// The layers of torch.nn that are operators of the library: the arguments, the parameters and the
// call of each.

import { integerOf } from "#language/document/bindings/values";
import { freshSize, type Size } from "#language/document/trace";
import type { Argument, Value } from "#language/python";
import { writtenLayerParameters } from "../library/index.ts";

export type Given = ReadonlyMap<string, Argument>;

export type Shape = readonly Size[];

/** The sizes that a layer is made with, by the names of its constructor's parameters. */
export interface Sizes {
  readonly one: (name: string) => Size;
  readonly row: (name: string, count?: number) => Shape;
}

type Weights = (given: Given, sizes: Sizes) => Readonly<Record<string, Shape>>;

/** A layer: its constructor's parameters, its weights, and the operator that a call is. */
export interface Layer {
  readonly parameters: readonly string[];
  readonly weights: Weights;
  /** The constructor's parameters that are the first dims of its weights, as written. */
  readonly sizes?: Readonly<Record<string, readonly string[]>>;
  readonly entry: string;
  /** Attributes of the operator, from the constructor's arguments by name. */
  readonly attributes?: readonly string[];
  /**
   * Attributes of the layer that the text does not give; its operator gets them too. `defaults`
   * when unsaid.
   */
  readonly holds?: Readonly<Record<string, Value>>;
  /** The operator of the layer in evaluation, which reads the layer's buffers. */
  readonly learnt?: Learnt;
  /** The spatial dims of a convolution. */
  readonly rank?: 1 | 2 | 3;
}

/** Statistics that a layer learns of its inputs while it is trained. */
export interface Learnt {
  readonly entry: string;
  /** The parameter of the constructor that says how many there are of each. */
  readonly size: string;
  /** By the name of the buffer, the parameter of the operator that takes it. */
  readonly buffers: Readonly<Record<string, string>>;
}

const linear: Weights = (given, { one }) => {
  const [inner, outer] = [one("in_features"), one("out_features")];
  return { weight: [outer, inner], ...(flag(given, "bias") && { bias: [outer] }) };
};

const normalised: Weights = (given, { row }) => {
  const shape = row("normalized_shape");
  if (!flag(given, "elementwise_affine")) return {};
  return { weight: shape, ...(flag(given, "bias") && { bias: shape }) };
};

function channels(name: string): Weights {
  return (given, { one }) => {
    const size = one(name);
    if (!flag(given, "affine")) return {};
    return { weight: [size], ...(flag(given, "bias") && { bias: [size] }) };
  };
}

function convolution(rank: 1 | 2 | 3): Layer {
  return {
    rank,
    parameters: [
      ...["in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation"],
      ...["groups", "bias"],
    ],
    weights: (given, { one, row }) => {
      const [inner, outer] = [one("in_channels"), one("out_channels")];
      const groups = integerOf(given.get("groups")?.value) ?? 1;
      return {
        weight: [outer, inGroups(inner, groups), ...row("kernel_size", rank)],
        ...(flag(given, "bias") && { bias: [outer] }),
      };
    },
    sizes: { weight: ["out_channels", "in_channels"] },
    entry: `conv${rank}d`,
    attributes: ["stride", "padding", "dilation", "groups"],
  };
}

/** The channels that one of the groups of a convolution reads. */
function inGroups(channels: Size, groups: number): Size {
  if (typeof channels === "number") return Math.max(1, Math.floor(channels / groups));
  return groups === 1 ? channels : freshSize();
}

function plain(entry: string, parameters: readonly string[] = [], attributes = parameters): Layer {
  return { parameters, weights: () => ({}), entry, attributes };
}

/** Of losses, in torch's order. */
const reductions = ["size_average", "reduce", "reduction"];

const ofClasses = ["weight", "size_average", "ignore_index", "reduce", "reduction"];

/** A loss: its arguments are attributes of its operator, except deprecated ones. */
function loss(entry: string, parameters: readonly string[], numbers: Numbers = {}): Layer {
  const attributes = parameters.filter((name) => !older.has(name));
  const given = Object.entries(numbers).map(([name, value]) => [name, { kind: "float", value }]);
  const holds = { reduction: { kind: "str", value: "mean" }, ...Object.fromEntries(given) };
  return { ...plain(entry, parameters, attributes), holds };
}

type Numbers = Readonly<Record<string, number>>;

/** Also the weights, which every layer passes on. */
const older: ReadonlySet<string> = new Set(["size_average", "reduce", "weight"]);

const batchNorm: Layer = {
  ...plain(
    "batch_norm",
    ["num_features", "eps", "momentum", "affine", "track_running_stats"],
    ["eps"],
  ),
  weights: channels("num_features"),
  learnt: {
    entry: "batch_norm_with_statistics",
    size: "num_features",
    buffers: { running_mean: "mean", running_var: "variance" },
  },
};

/** What layers have that the text does not give them. */
export const defaults: Readonly<Record<string, Value>> = {
  eps: { kind: "float", value: 1e-5 },
  p: { kind: "float", value: 0.5 },
  start_dim: { kind: "int", value: 1n },
  ...Object.fromEntries(
    ["groups", "stride", "dilation"].map((name) => [name, { kind: "int", value: 1n }]),
  ),
  padding: { kind: "int", value: 0n },
};

export const layers: Readonly<Record<string, Layer>> = {
  Linear: {
    parameters: ["in_features", "out_features", "bias"],
    weights: linear,
    sizes: { weight: ["out_features", "in_features"] },
    entry: "linear",
  },
  Embedding: {
    parameters: ["num_embeddings", "embedding_dim", "padding_idx"],
    weights: (_, { one }) => ({ weight: [one("num_embeddings"), one("embedding_dim")] }),
    sizes: { weight: ["num_embeddings", "embedding_dim"] },
    entry: "embedding",
  },
  LayerNorm: {
    parameters: ["normalized_shape", "eps", "elementwise_affine", "bias"],
    weights: normalised,
    entry: "layer_norm",
    attributes: ["eps", "normalized_shape"],
  },
  RMSNorm: {
    parameters: ["normalized_shape", "eps", "elementwise_affine"],
    weights: (given, sizes) => {
      const { weight } = normalised(given, sizes);
      return weight === undefined ? {} : { weight };
    },
    entry: "rms_norm",
    attributes: ["eps", "normalized_shape"],
  },
  GroupNorm: {
    parameters: ["groups", "num_channels", "eps", "affine"],
    weights: channels("num_channels"),
    entry: "group_norm",
    attributes: ["groups", "eps"],
  },
  ...Object.fromEntries(
    ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"].map((name) => [name, batchNorm]),
  ),
  Conv1d: convolution(1),
  Conv2d: convolution(2),
  Conv3d: convolution(3),
  Dropout: plain("dropout", ["p"]),
  Identity: plain("identity"),
  Flatten: plain("flatten", ["start_dim", "end_dim"]),
  Softmax: plain("softmax", ["dim"]),
  LogSoftmax: plain("log_softmax", ["dim"]),
  LeakyReLU: plain("leaky_relu", ["negative_slope"]),
  CrossEntropyLoss: loss("cross_entropy", [...ofClasses, "label_smoothing"]),
  NLLLoss: loss("nll_loss", ofClasses),
  MSELoss: loss("mse_loss", reductions),
  L1Loss: loss("l1_loss", reductions),
  SmoothL1Loss: loss("smooth_l1_loss", [...reductions, "beta"], { beta: 1 }),
  HuberLoss: loss("huber_loss", ["reduction", "delta"], { delta: 1 }),
  BCELoss: loss("binary_cross_entropy", ["weight", ...reductions]),
  BCEWithLogitsLoss: loss("binary_cross_entropy_with_logits", [
    ...["weight", ...reductions, "pos_weight"],
  ]),
  KLDivLoss: loss("kl_div", [...reductions, "log_target"]),
  PoissonNLLLoss: loss(
    "poisson_nll_loss",
    ["log_input", "full", "size_average", "eps", "reduce", "reduction"],
    { eps: 1e-8 },
  ),
  GaussianNLLLoss: loss("gaussian_nll_loss", ["full", "eps", "reduction"], { eps: 1e-6 }),
  SoftMarginLoss: loss("soft_margin_loss", reductions),
  HingeEmbeddingLoss: loss("hinge_embedding_loss", ["margin", ...reductions], { margin: 1 }),
  MultiLabelSoftMarginLoss: loss("multilabel_soft_margin_loss", ["weight", ...reductions]),
  MarginRankingLoss: loss("margin_ranking_loss", ["margin", ...reductions], { margin: 0 }),
  CosineEmbeddingLoss: loss("cosine_embedding_loss", ["margin", ...reductions], { margin: 0 }),
  TripletMarginLoss: loss("triplet_margin_loss", ["margin", "p", "eps", "swap", ...reductions], {
    margin: 1,
    p: 2,
    eps: 1e-6,
  }),
  ReLU: plain("relu"),
  ReLU6: plain("relu6"),
  GELU: plain("gelu", ["approximate"]),
  SiLU: plain("silu"),
  Mish: plain("mish"),
  ELU: plain("elu", ["alpha"]),
  Tanh: plain("tanh"),
  Sigmoid: plain("sigmoid"),
  Softplus: plain("softplus", ["beta", "threshold"]),
  Hardswish: plain("hardswish"),
};

/** The layers of `torch.nn` by class name, with the parameters that their construction takes. */
export const torchLayerParameters: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(layers).map(([name, { parameters }]) => [name, parameters] as const),
  ...writtenLayerParameters,
]);

/** A flag of a constructor that is true unless it says otherwise. */
export function flag(given: Given, name: string): boolean {
  const value = given.get(name)?.value;
  return !(value?.kind === "bool" && !value.value) && value?.kind !== "none";
}
