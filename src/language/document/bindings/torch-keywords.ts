import { fieldOf } from "#core/records";
import type { Argument } from "#language/python";
import { bindArguments } from "./values.ts";

/**
 * The names by which functions of torch, of `torch.nn.functional` and methods of tensors take their
 * arguments, all overloads together, but for those that many share. Source: the schemas and
 * signatures of PyTorch 2.13.
 */
const ofFunctions: Readonly<Record<string, string>> = {
  abs: "",
  add: "a alpha b other",
  addmm: "alpha beta mat1 mat2 out_dtype",
  amax: "dim keepdim",
  amin: "dim keepdim",
  arange:
    "device dtype end generator layout memory_format names pin_memory requires_grad size start step",
  argmax: "dim keepdim",
  argmin: "dim keepdim",
  avg_pool2d: "ceil_mode count_include_pad divisor_override kernel_size padding stride",
  batch_norm: "bias cudnn_enabled eps momentum running_mean running_var training weight",
  binary_cross_entropy_with_logits: "pos_weight reduce reduction size_average target weight",
  bmm: "batch2 mat2 out_dtype",
  broadcast_to: "shape size",
  cat: "dim tensors",
  chunk: "chunks dim",
  clamp: "max min",
  clip: "max min",
  clone: "memory_format",
  concat: "dim tensors",
  contiguous: "memory_format",
  conv1d: "bias dilation groups padding stride weight",
  conv2d: "bias dilation groups padding stride weight",
  conv3d: "bias dilation groups padding stride weight",
  conv_transpose2d: "bias dilation groups output_padding padding stride weight",
  cos: "a",
  cross_entropy: "ignore_index label_smoothing reduce reduction size_average target weight",
  cumsum: "dim dtype",
  detach: "",
  div: "a b other rounding_mode value",
  dropout: "inplace p train training",
  einsum: "args device dtype generator layout memory_format names pin_memory requires_grad size",
  elu: "alpha inplace",
  embedding: "indices max_norm norm_type padding_idx scale_grad_by_freq sparse weight",
  empty: "device dtype generator layout memory_format names pin_memory requires_grad size",
  empty_like: "device dtype generator layout memory_format names pin_memory requires_grad size",
  eq: "a b other",
  equal: "other",
  erf: "a",
  exp: "a",
  expand: "implicit size",
  expand_as: "other",
  flatten: "end_dim start_dim",
  flip: "dims",
  float: "memory_format",
  floor: "a",
  full: "device dtype fill_value generator layout memory_format names pin_memory requires_grad size",
  full_like:
    "device dtype fill_value generator layout memory_format names pin_memory requires_grad size",
  gather: "dim index sparse_grad",
  ge: "a b other",
  gelu: "approximate",
  greater: "other",
  greater_equal: "other",
  group_norm: "bias cudnn_enabled eps num_groups weight",
  gt: "a b other",
  hardswish: "inplace",
  index_select: "dim index",
  instance_norm: "bias cudnn_enabled eps momentum running_mean running_var use_input_stats weight",
  kl_div: "log_target reduce reduction size_average target",
  l1_loss: "reduce reduction size_average target weight",
  layer_norm: "bias eps normalized_shape weight",
  le: "a b other",
  leaky_relu: "inplace negative_slope",
  lerp: "end weight",
  less: "other",
  less_equal: "other",
  linear: "bias weight",
  log: "a b",
  log_softmax: "dim dtype",
  logsumexp: "dim keepdim",
  lt: "a b other",
  masked_fill: "mask value",
  matmul: "other tensor2",
  max_pool2d: "ceil_mode dilation kernel_size padding stride",
  maximum: "other",
  mean: "dim dtype keepdim",
  minimum: "other",
  mish: "inplace",
  mm: "mat2 out_dtype",
  mse_loss: "reduce reduction size_average target weight",
  mul: "a b l n other value",
  neg: "a",
  nll_loss: "ignore_index reduce reduction size_average target weight",
  norm: "dim dtype keepdim p",
  one_hot: "num_classes tensor",
  ones: "device dtype generator layout memory_format names pin_memory requires_grad size",
  ones_like: "device dtype generator layout memory_format names pin_memory requires_grad size",
  outer: "vec2",
  pad: "mode pad value",
  permute: "dims",
  pow: "a b exponent self",
  prod: "dim dtype keepdim",
  rand: "device dtype generator layout memory_format names pin_memory requires_grad size",
  rand_like: "device dtype generator layout memory_format names pin_memory requires_grad size",
  randint:
    "device dtype generator high layout low memory_format names pin_memory requires_grad size",
  randn: "device dtype generator layout memory_format names pin_memory requires_grad size",
  randn_like: "device dtype generator layout memory_format names pin_memory requires_grad size",
  reciprocal: "",
  relu: "inplace",
  relu6: "inplace",
  repeat: "repeats",
  reshape: "shape",
  rms_norm: "eps normalized_shape weight",
  roll: "dims shifts",
  rsqrt: "",
  scaled_dot_product_attention: "attn_mask dropout_p enable_gqa is_causal key query scale value",
  scatter_add: "dim index src",
  select: "dim idx index list",
  sigmoid: "",
  sign: "",
  silu: "inplace",
  sin: "a",
  softmax: "dim dtype",
  softplus: "beta threshold",
  sort: "descending dim indices reverse stable values",
  split: "dim split_size split_size_or_sections tensor",
  sqrt: "a",
  square: "",
  squeeze: "dim",
  stack: "dim tensors",
  sub: "a alpha b other",
  sum: "dim dtype keepdim",
  sum_to_size: "size",
  swapaxes: "axis0 axis1",
  take: "index indices",
  take_along_dim: "dim indices",
  tanh: "a",
  tensor: "data device dtype generator layout memory_format names pin_memory requires_grad size t",
  tile: "dims",
  to: "copy device dtype layout memory_format non_blocking other pin_memory",
  topk: "dim indices k largest sorted values",
  transpose: "dim0 dim1",
  tril: "diagonal",
  triu: "diagonal",
  unsqueeze: "dim",
  upsample_nearest: "scale_factor size",
  var: "correction dim keepdim unbiased",
  view: "dtype size",
  where: "condition other y",
  zeros: "device dtype generator layout memory_format names pin_memory requires_grad size",
  zeros_like: "device dtype generator layout memory_format names pin_memory requires_grad size",
};

/** Names that NumPy's callers may use too, and those of most functions. */
const shared: ReadonlySet<string> = new Set(["input", "self", "x", "out", "axis", "keepdims"]);

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
  CrossEntropyLoss: "weight size_average ignore_index reduce reduction label_smoothing",
  Dropout: "p inplace",
  ELU: "alpha inplace",
  Embedding:
    "num_embeddings embedding_dim padding_idx max_norm norm_type scale_grad_by_freq sparse device dtype",
  Flatten: "start_dim end_dim",
  GELU: "approximate",
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
};

/** Whether torch takes an argument of that name; also where it is not known what it takes. */
export function takesKeyword(name: string, keyword: string): boolean {
  const known = keywordsOf(name);
  return known === undefined || shared.has(keyword) || known.includes(keyword);
}

/** What a function of torch takes by name, if that is known. */
export function keywordsOf(name: string): readonly string[] | undefined {
  return Object.hasOwn(ofFunctions, name) ? fieldOf(ofFunctions, name)?.split(" ") : undefined;
}

/** What the constructor of a layer takes, in order, if that is known. */
export function layerKeywords(name: string): readonly string[] | undefined {
  return Object.hasOwn(ofLayers, name) ? fieldOf(ofLayers, name)?.split(" ") : undefined;
}

/** The arguments of the constructor of a layer, each with its name, if that is known. */
export function inLayerOrder(name: string, args: readonly Argument[]): readonly Argument[] {
  const { bound } = bindArguments(layerKeywords(name) ?? [], args);
  return [...bound].map(([key, argument]) => ({ ...argument, name: key }));
}
