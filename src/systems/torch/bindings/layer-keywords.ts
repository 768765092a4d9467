import { fieldOf } from "#core/records";
import { refuseKeyword } from "#language/document/bindings";
import { bindArguments } from "#language/document/bindings/values";
import type { Argument, Context } from "#language/python";

/** The names of the arguments of layers, in the order of their constructors. Source: PyTorch 2.13. */
const ofLayers: Readonly<Record<string, string>> = {
  BCELoss: "weight size_average reduce reduction",
  BCEWithLogitsLoss: "weight size_average reduce reduction pos_weight",
  BatchNorm1d: "num_features eps momentum affine track_running_stats device dtype bias",
  BatchNorm2d: "num_features eps momentum affine track_running_stats device dtype bias",
  BatchNorm3d: "num_features eps momentum affine track_running_stats device dtype bias",
  Conv1d:
    "in_channels out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  Conv2d:
    "in_channels out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  Conv3d:
    "in_channels out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  CosineEmbeddingLoss: "margin size_average reduce reduction",
  CrossEntropyLoss: "weight size_average ignore_index reduce reduction label_smoothing",
  Dropout: "p inplace",
  ELU: "alpha inplace",
  Embedding:
    "num_embeddings embedding_dim padding_idx max_norm norm_type scale_grad_by_freq sparse device dtype",
  Flatten: "start_dim end_dim",
  GELU: "approximate",
  GaussianNLLLoss: "full eps reduction",
  GroupNorm: "num_groups num_channels eps affine device dtype bias",
  Hardswish: "inplace",
  HingeEmbeddingLoss: "margin size_average reduce reduction",
  HuberLoss: "reduction delta",
  KLDivLoss: "size_average reduce reduction log_target",
  L1Loss: "size_average reduce reduction",
  LayerNorm: "normalized_shape eps elementwise_affine bias device dtype",
  LeakyReLU: "negative_slope inplace",
  Linear: "in_features out_features bias device dtype",
  LogSoftmax: "dim",
  MSELoss: "size_average reduce reduction",
  MarginRankingLoss: "margin size_average reduce reduction",
  Mish: "inplace",
  MultiLabelSoftMarginLoss: "weight size_average reduce reduction",
  NLLLoss: "weight size_average ignore_index reduce reduction",
  PoissonNLLLoss: "log_input full size_average eps reduce reduction",
  RMSNorm: "normalized_shape eps elementwise_affine device dtype",
  ReLU: "inplace",
  ReLU6: "inplace",
  SiLU: "inplace",
  SmoothL1Loss: "size_average reduce reduction beta",
  SoftMarginLoss: "size_average reduce reduction",
  Softmax: "dim",
  Softplus: "beta threshold",
  SyncBatchNorm:
    "num_features eps momentum affine track_running_stats process_group device dtype bias",
  TripletMarginLoss: "margin p eps swap size_average reduce reduction",
};

/** The constructor parameters of a layer, in order; `undefined` if unknown. */
function layerKeywords(name: string): readonly string[] | undefined {
  return Object.hasOwn(ofLayers, name) ? fieldOf(ofLayers, name)?.split(" ") : undefined;
}

/** The arguments of the constructor of a layer, each with its name, if that is known. */
export function inLayerOrder(name: string, args: readonly Argument[]): readonly Argument[] {
  const { bound } = bindArguments(layerKeywords(name) ?? [], args);
  return [...bound].map(([key, argument]) => ({ ...argument, name: key }));
}

/** Refuses a name of an argument that the constructor of a layer does not take. */
export function requireLayerKeywords(
  name: string,
  args: readonly Argument[],
  context: Context,
): void {
  const known = layerKeywords(name);
  const stranger = args.find(
    ({ name: own }) => own !== undefined && known?.includes(own) === false,
  );
  if (known !== undefined && stranger !== undefined)
    refuseKeyword(`${name}.__init__()`, stranger, known, context);
}
