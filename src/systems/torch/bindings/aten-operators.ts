import type { Span } from "#core/diagnostics";
import { hostFunction } from "#language/document/bindings/values";
import type { Context, ModuleValue, Value } from "#language/python";

/**
 * ATen operators with a function of the same name in `torch` and the same arguments by position:
 * PyTorch generates both from `native_functions.yaml`.
 */
const asInTorch = namesIn([
  "abs acos acosh add addbmm addcdiv addcmul addmm addmv addr all amax amin any arange argmax",
  "argmin argsort asin asinh atan atan2 atanh avg_pool1d baddbmm bernoulli bilinear bitwise_and",
  "bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bmm broadcast_to cat",
  "ceil celu chunk clamp clamp_max clamp_min clone conv1d conv2d conv3d conv_transpose1d",
  "conv_transpose2d conv_transpose3d copysign cos cosh cosine_similarity cummax cumprod cumsum",
  "detach diag_embed diagonal diff div dot dropout einsum empty empty_like empty_permuted",
  "empty_strided eq erf erfc exp exp2 expm1 eye flatten flip floor floor_divide fmod frac full",
  "full_like gather ge greater group_norm gt hypot index_add index_copy index_fill index_put",
  "index_select isfinite isin isinf isnan kthvalue layer_norm le lerp less linspace log log10 log1p",
  "log2 log_softmax logaddexp logical_and logical_not logical_or logical_xor logsumexp lt",
  "masked_fill masked_scatter masked_select matmul max max_pool1d max_pool2d max_pool3d maximum",
  "mean median min minimum mm movedim mul multinomial mv nan_to_num narrow ne neg nonzero norm numel",
  "ones ones_like outer permute pixel_shuffle pixel_unshuffle pow prelu prod rand rand_like randint",
  "randn randn_like randperm reciprocal relu remainder repeat_interleave reshape rms_norm roll",
  "round rsqrt rsub scalar_tensor scatter scatter_add scatter_reduce searchsorted select",
  "select_scatter selu sgn sigmoid sign sin sinh slice_scatter softmax sort split split_with_sizes",
  "sqrt square squeeze stack std sub sum swapaxes t take_along_dim tan tanh tile topk trace",
  "transpose tril triu true_divide trunc unbind unflatten unsqueeze var var_mean where xlogy zeros",
  "zeros_like",
]);

/** The same of `torch.nn.functional`. */
const asInFunctional = namesIn([
  "adaptive_avg_pool2d adaptive_avg_pool3d avg_pool2d avg_pool3d gelu glu hardsigmoid hardswish",
  "hardtanh leaky_relu linear mish one_hot pad relu6 scaled_dot_product_attention silu softplus",
]);

/** Functions of `torch` itself whose arguments stand as in the schema, other than in `torch.nn.functional`. */
export const ofSchema: ReadonlySet<string> = new Set(["batch_norm", "instance_norm"]);

/** ATen operators that exist only as methods, but that traces print as functions of `torch`. */
export const inTraces = namesIn([
  "contiguous copy expand index new_empty new_empty_strided new_full new_ones new_zeros repeat slice",
  "unfold view",
]);

/** Where the words of operators come from. */
interface AtenSource {
  /** An operator written by its ATen schema. */
  readonly written: (name: string, context: Context) => Value | undefined;
  readonly torch: (name: string, context: Context, span: Span) => Value | undefined;
  readonly functional: (name: string, context: Context) => Value | undefined;
  /** An unknown value, by its path. */
  readonly other: (path: string) => Value;
}

const home = "torch.ops.aten";

/** `torch.ops`, of which `torch.ops.aten` is read, with its overloads: `torch.ops.aten.add.Tensor`. */
export function operatorsOfTorch(source: AtenSource): ModuleValue {
  const aten: ModuleValue = {
    kind: "module",
    name: home,
    attribute: (name, context, span) => {
      const own = name === "slice" ? "slice_" : name;
      const word = source.written(own, context) ?? asFunction(source, name, context, span);
      return word === undefined ? source.other(`${home}.${name}`) : packet(source, name, word);
    },
  };
  return {
    kind: "module",
    name: "torch.ops",
    attribute: (name) => (name === "aten" ? aten : source.other(`torch.ops.${name}`)),
  };
}

/** An operator, or the function that has its schema. */
function asFunction(
  source: AtenSource,
  name: string,
  context: Context,
  span: Span,
): Value | undefined {
  if (asInTorch.has(name)) return source.torch(name, context, span);
  return asInFunctional.has(name) ? source.functional(name, context) : undefined;
}

/** An operator, and its overloads, which differ in the types of what they take; `out` ones write. */
function packet({ other }: AtenSource, name: string, word: Value): Value {
  return {
    ...hostFunction(name, (args, context, span) => context.call(word, args, span)),
    member: (overload) =>
      /(?:^|_)out$/.test(overload) ? other(`${home}.${name}.${overload}`) : word,
  };
}

function namesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
