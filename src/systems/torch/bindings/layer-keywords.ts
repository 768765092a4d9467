import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { refuseKeyword } from "#language/document/bindings";
import { bindArguments } from "#language/document/bindings/values";
import type { Argument, ClassValue, Context, HostType, Value } from "#language/python";

/** The names of the arguments of layers, in the order of their constructors. Source: PyTorch 2.13. */
const ofLayers: Readonly<Record<string, string>> = {
  ...{ LogSigmoid: "", Sigmoid: "", Softmax2d: "", Softsign: "", Tanh: "", Tanhshrink: "" },
  AdaptiveAvgPool1d: "output_size",
  AdaptiveAvgPool2d: "output_size",
  AdaptiveAvgPool3d: "output_size",
  AdaptiveLogSoftmaxWithLoss: "in_features n_classes cutoffs div_value head_bias device dtype",
  AdaptiveMaxPool1d: "output_size return_indices",
  AdaptiveMaxPool2d: "output_size return_indices",
  AdaptiveMaxPool3d: "output_size return_indices",
  AlphaDropout: "p inplace",
  AvgPool1d: "kernel_size stride padding ceil_mode count_include_pad",
  AvgPool2d: "kernel_size stride padding ceil_mode count_include_pad divisor_override",
  AvgPool3d: "kernel_size stride padding ceil_mode count_include_pad divisor_override",
  BCELoss: "weight size_average reduce reduction",
  BCEWithLogitsLoss: "weight size_average reduce reduction pos_weight",
  BatchNorm1d: "num_features eps momentum affine track_running_stats device dtype bias",
  BatchNorm2d: "num_features eps momentum affine track_running_stats device dtype bias",
  BatchNorm3d: "num_features eps momentum affine track_running_stats device dtype bias",
  Bilinear: "in1_features in2_features out_features bias device dtype",
  CELU: "alpha inplace",
  CTCLoss: "blank reduction zero_infinity",
  ChannelShuffle: "groups",
  CircularPad1d: "padding",
  CircularPad2d: "padding",
  CircularPad3d: "padding",
  ConstantPad1d: "padding value",
  ConstantPad2d: "padding value",
  ConstantPad3d: "padding value",
  Conv1d:
    "in_channels out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  Conv2d:
    "in_channels out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  Conv3d:
    "in_channels out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  ConvTranspose1d:
    "in_channels out_channels kernel_size stride padding output_padding groups bias dilation padding_mode device dtype",
  ConvTranspose2d:
    "in_channels out_channels kernel_size stride padding output_padding groups bias dilation padding_mode device dtype",
  ConvTranspose3d:
    "in_channels out_channels kernel_size stride padding output_padding groups bias dilation padding_mode device dtype",
  CosineEmbeddingLoss: "margin size_average reduce reduction",
  CosineSimilarity: "dim eps",
  CrossEntropyLoss: "weight size_average ignore_index reduce reduction label_smoothing",
  CrossMapLRN2d: "size alpha beta k",
  Dropout: "p inplace",
  Dropout1d: "p inplace",
  Dropout2d: "p inplace",
  Dropout3d: "p inplace",
  ELU: "alpha inplace",
  Embedding:
    "num_embeddings embedding_dim padding_idx max_norm norm_type scale_grad_by_freq sparse _weight _freeze device dtype",
  EmbeddingBag:
    "num_embeddings embedding_dim max_norm norm_type scale_grad_by_freq mode sparse _weight include_last_offset padding_idx device dtype",
  FeatureAlphaDropout: "p inplace",
  Flatten: "start_dim end_dim",
  Fold: "output_size kernel_size dilation padding stride",
  FractionalMaxPool2d: "kernel_size output_size output_ratio return_indices _random_samples",
  FractionalMaxPool3d: "kernel_size output_size output_ratio return_indices _random_samples",
  GELU: "approximate",
  GLU: "dim",
  GRUCell: "input_size hidden_size bias device dtype",
  GaussianNLLLoss: "full eps reduction",
  GroupNorm: "num_groups num_channels eps affine device dtype bias",
  Hardshrink: "lambd",
  Hardsigmoid: "inplace",
  Hardswish: "inplace",
  Hardtanh: "min_val max_val inplace min_value max_value",
  HingeEmbeddingLoss: "margin size_average reduce reduction",
  HuberLoss: "reduction delta",
  InstanceNorm1d: "num_features eps momentum affine track_running_stats device dtype bias",
  InstanceNorm2d: "num_features eps momentum affine track_running_stats device dtype bias",
  InstanceNorm3d: "num_features eps momentum affine track_running_stats device dtype bias",
  KLDivLoss: "size_average reduce reduction log_target",
  L1Loss: "size_average reduce reduction",
  LPPool1d: "norm_type kernel_size stride ceil_mode",
  LPPool2d: "norm_type kernel_size stride ceil_mode",
  LPPool3d: "norm_type kernel_size stride ceil_mode",
  LSTMCell: "input_size hidden_size bias device dtype",
  LayerNorm: "normalized_shape eps elementwise_affine bias device dtype",
  LazyBatchNorm1d: "eps momentum affine track_running_stats device dtype bias",
  LazyBatchNorm2d: "eps momentum affine track_running_stats device dtype bias",
  LazyBatchNorm3d: "eps momentum affine track_running_stats device dtype bias",
  LazyConv1d:
    "out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  LazyConv2d:
    "out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  LazyConv3d:
    "out_channels kernel_size stride padding dilation groups bias padding_mode device dtype",
  LazyConvTranspose1d:
    "out_channels kernel_size stride padding output_padding groups bias dilation padding_mode device dtype",
  LazyConvTranspose2d:
    "out_channels kernel_size stride padding output_padding groups bias dilation padding_mode device dtype",
  LazyConvTranspose3d:
    "out_channels kernel_size stride padding output_padding groups bias dilation padding_mode device dtype",
  LazyInstanceNorm1d: "eps momentum affine track_running_stats device dtype bias",
  LazyInstanceNorm2d: "eps momentum affine track_running_stats device dtype bias",
  LazyInstanceNorm3d: "eps momentum affine track_running_stats device dtype bias",
  LazyLinear: "out_features bias device dtype",
  LeakyReLU: "negative_slope inplace",
  Linear: "in_features out_features bias device dtype",
  LocalResponseNorm: "size alpha beta k",
  LogSoftmax: "dim",
  MSELoss: "size_average reduce reduction",
  MarginRankingLoss: "margin size_average reduce reduction",
  MaxPool1d: "kernel_size stride padding dilation return_indices ceil_mode",
  MaxPool2d: "kernel_size stride padding dilation return_indices ceil_mode",
  MaxPool3d: "kernel_size stride padding dilation return_indices ceil_mode",
  MaxUnpool1d: "kernel_size stride padding",
  MaxUnpool2d: "kernel_size stride padding",
  MaxUnpool3d: "kernel_size stride padding",
  Mish: "inplace",
  MultiLabelMarginLoss: "size_average reduce reduction",
  MultiLabelSoftMarginLoss: "weight size_average reduce reduction",
  MultiMarginLoss: "p margin weight size_average reduce reduction",
  MultiheadAttention:
    "embed_dim num_heads dropout bias add_bias_kv add_zero_attn kdim vdim batch_first device dtype",
  NLLLoss: "weight size_average ignore_index reduce reduction",
  NLLLoss2d: "weight size_average ignore_index reduce reduction",
  PReLU: "num_parameters init device dtype",
  PairwiseDistance: "p eps keepdim",
  PixelShuffle: "upscale_factor",
  PixelUnshuffle: "downscale_factor",
  PoissonNLLLoss: "log_input full size_average eps reduce reduction",
  RMSNorm: "normalized_shape eps elementwise_affine device dtype",
  RNNCell: "input_size hidden_size bias nonlinearity device dtype",
  RReLU: "lower upper inplace",
  ReLU: "inplace",
  ReLU6: "inplace",
  ReflectionPad1d: "padding",
  ReflectionPad2d: "padding",
  ReflectionPad3d: "padding",
  ReplicationPad1d: "padding",
  ReplicationPad2d: "padding",
  ReplicationPad3d: "padding",
  SELU: "inplace",
  SiLU: "inplace",
  SmoothL1Loss: "size_average reduce reduction beta",
  SoftMarginLoss: "size_average reduce reduction",
  Softmax: "dim",
  Softmin: "dim",
  Softplus: "beta threshold",
  Softshrink: "lambd",
  SyncBatchNorm:
    "num_features eps momentum affine track_running_stats process_group device dtype bias",
  Threshold: "threshold value inplace",
  Transformer:
    "d_model nhead num_encoder_layers num_decoder_layers dim_feedforward dropout activation custom_encoder custom_decoder layer_norm_eps batch_first norm_first bias device dtype",
  TransformerDecoderLayer:
    "d_model nhead dim_feedforward dropout activation layer_norm_eps batch_first norm_first bias device dtype",
  TransformerEncoderLayer:
    "d_model nhead dim_feedforward dropout activation layer_norm_eps batch_first norm_first bias device dtype",
  TripletMarginLoss: "margin p eps swap size_average reduce reduction",
  TripletMarginWithDistanceLoss: "distance_function margin swap reduction",
  Unflatten: "dim unflattened_size",
  Unfold: "kernel_size dilation padding stride",
  Upsample: "size scale_factor mode align_corners recompute_scale_factor",
  UpsamplingBilinear2d: "size scale_factor",
  UpsamplingNearest2d: "size scale_factor",
  ZeroPad1d: "padding",
  ZeroPad2d: "padding",
  ZeroPad3d: "padding",
};

/** The constructor parameters of a layer, in order; `undefined` if unknown. */
function layerKeywords(name: string): readonly string[] | undefined {
  const words = Object.hasOwn(ofLayers, name) ? fieldOf(ofLayers, name) : undefined;
  return words?.split(" ").filter((each) => each !== "");
}

/** The arguments of the constructor of a layer, each with its name, if that is known. */
export function inLayerOrder(name: string, args: readonly Argument[]): readonly Argument[] {
  const { bound } = bindArguments(layerKeywords(name) ?? [], args);
  return [...bound].map(([key, argument]) => ({ ...argument, name: key }));
}

/** Refuses arguments that the constructor of a layer does not take: a name that it lacks, or too many. */
export function requireLayerKeywords(
  name: string,
  args: readonly Argument[],
  context: Context,
  span: Span,
): void {
  const known = layerKeywords(name);
  const placed = args.filter((each) => each.name === undefined).length;
  if (known !== undefined && span.from >= 0 && placed > known.length) {
    const message = `${name}.__init__() takes at most ${known.length + 1} positional arguments but ${placed + 1} were given`;
    context.raise("TypeError", message, span);
  }
  const stranger = args.find(
    ({ name: own }) => own !== undefined && known?.includes(own) === false,
  );
  if (known !== undefined && stranger !== undefined)
    refuseKeyword(`${name}.__init__()`, stranger, known, context);
}

const checked = new WeakSet<ClassValue>();

/** The class of a layer that is written in Python, whose constructor refuses what PyTorch's does. */
export function checkedClass(name: string, made: Value): Value {
  if (made.kind !== "class" || checked.has(made) || layerKeywords(name) === undefined) return made;
  checked.add(made);
  const init = made.attributes.get("__init__");
  if (init === undefined) return made;
  const type: HostType = {
    name: "function",
    // A subclass calls it by `super().__init__(…)`.
    isMethod: true,
    call: (_, args, context, span) => {
      if (span.from >= 0) requireLayerKeywords(name, args.slice(1), context, span);
      return context.call(init, args, span);
    },
  };
  made.attributes.set("__init__", { kind: "host", type, data: init });
  return made;
}
