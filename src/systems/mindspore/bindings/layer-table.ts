// Layers of mindspore.nn that run one primitive, without parameters or with parameters of one
// shape.

import { layerSize, layerSizes, sizeOf } from "#language/document/bindings";
import { integer, none } from "#language/document/bindings/values";
import type { Size } from "#language/document/trace";
import type { Context, Value } from "#language/python";

import { keepBatchNorm, keepLayerNorm } from "./layer-attributes.ts";

/**
 * Activations of `mindspore.nn` that run one primitive, with its name; the others are in
 * `library/`.
 */
export const activations: Readonly<Record<string, string>> = {
  ReLU: "ReLU",
  SiLU: "SiLU",
  Tanh: "Tanh",
  Sigmoid: "Sigmoid",
  Softmax: "Softmax",
  ReLU6: "ReLU6",
  ELU: "Elu",
  HSigmoid: "HSigmoid",
  HSwish: "HSwish",
  LogSoftmax: "LogSoftmax",
  Mish: "Mish",
  Softsign: "Softsign",
  CELU: "CeLU",
  SeLU: "SeLU",
  FastGelu: "FastGeLU",
  SoftShrink: "SoftShrink",
  HShrink: "HShrink",
};

/** A layer that runs one primitive with parameters of one shape. */
export interface WeightedLayer {
  readonly takes: readonly string[];
  /** Names of the parameters, in the order of the primitive's inputs. */
  readonly parameters: readonly string[];
  readonly shape: (made: Parameters<typeof layerSize>[0], context: Context) => readonly Size[];
  /** Stores the constructor arguments as attributes. */
  readonly keep?: (self: Map<string, Value>, given: Given) => void;
  /** The layer's primitives by attribute name, each with its settings; a call runs the first. */
  readonly primitives: Readonly<Record<string, readonly [string, Settings?]>>;
}

type Given = ReadonlyMap<string, { readonly value: Value }>;

type Settings = (given: Given) => Readonly<Record<string, Value>>;

/** Batch norm holds one primitive for training and one for inference. */
const batchNorm: WeightedLayer = {
  takes: [
    ...["num_features", "eps", "momentum", "affine", "gamma_init", "beta_init"],
    ...["moving_mean_init", "moving_var_init", "use_batch_statistics", "data_format"],
  ],
  keep: keepBatchNorm,
  parameters: ["gamma", "beta", "moving_mean", "moving_variance"],
  shape: (made, context) => [layerSize(made, "num_features", context)],
  primitives: {
    bn_train: ["BatchNorm", () => ({ is_training: { kind: "bool", value: true } })],
    bn_infer: ["BatchNorm"],
  },
};

export const weightedLayers: Readonly<Record<string, WeightedLayer>> = {
  ...{ BatchNorm1d: batchNorm, BatchNorm2d: batchNorm, BatchNorm3d: batchNorm },
  LayerNorm: {
    takes: [
      ...["normalized_shape", "begin_norm_axis", "begin_params_axis"],
      ...["gamma_init", "beta_init", "epsilon"],
    ],
    keep: keepLayerNorm,
    parameters: ["gamma", "beta"],
    shape: (made, context) => layerSizes(made, "normalized_shape", context),
    primitives: {
      layer_norm: [
        "LayerNorm",
        (given) => ({
          begin_norm_axis: given.get("begin_norm_axis")?.value ?? integer(-1),
          begin_params_axis: given.get("begin_params_axis")?.value ?? integer(-1),
        }),
      ],
    },
  },
  PReLU: {
    takes: ["channel", "w"],
    parameters: ["w"],
    shape: ({ given }) => [sizeOf(given.get("channel")?.value ?? none) ?? 1],
    primitives: { prelu: ["PReLU"] },
  },
};
