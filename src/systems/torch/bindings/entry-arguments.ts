import type { LibraryEntry } from "#core/ir";
import { fieldOf } from "#core/records";
import { itemsOf, text } from "#language/document/bindings/values";
import type { Argument, Value } from "#language/python";

/** How a loss is reduced, in words of today and of older days. */
const reductions = ["_size_average", "_reduce", "reduction"];

const classSettings = ["weight", "_size_average", "ignore_index", "_reduce", "reduction"];

/**
 * Parameters of functions of torch that stand in another order than in the library, in torch's own
 * order; what the library does not have begins with `_`.
 */
const orders: Readonly<Record<string, readonly string[]>> = {
  layer_norm: ["x", "_normalized_shape", "weight", "bias", "eps"],
  rms_norm: ["x", "_normalized_shape", "weight", "eps"],
  group_norm: ["x", "groups", "weight", "bias", "eps"],
  batch_norm: [
    "x",
    "_running_mean",
    "_running_var",
    "weight",
    "bias",
    "_training",
    "_momentum",
    "eps",
  ],
  instance_norm: [
    "x",
    "_running_mean",
    "_running_var",
    "weight",
    "bias",
    "_use_input_stats",
    "_momentum",
    "eps",
  ],
  dropout: ["x", "p", "_training", "_inplace"],
  ...Object.fromEntries(
    ["relu", "silu", "mish", "relu6", "selu", "hardswish", "hardsigmoid"].map((name) => [
      name,
      ["x", "_inplace"],
    ]),
  ),
  scaled_dot_product_attention: [
    "query",
    "key",
    "value",
    "attn_mask",
    "_dropout_p",
    "is_causal",
    "scale",
  ],
  cross_entropy: ["input", "target", ...classSettings, "label_smoothing"],
  nll_loss: ["input", "target", ...classSettings],
  mse_loss: ["input", "target", ...reductions, "weight"],
  l1_loss: ["input", "target", ...reductions, "weight"],
  smooth_l1_loss: ["input", "target", ...reductions, "beta"],
  huber_loss: ["input", "target", "reduction", "delta", "weight"],
  binary_cross_entropy: ["input", "target", "weight", ...reductions],
  binary_cross_entropy_with_logits: ["input", "target", "weight", ...reductions, "pos_weight"],
  kl_div: ["input", "target", ...reductions, "log_target"],
  poisson_nll_loss: [
    ...["input", "target", "log_input", "full", "_size_average", "eps", "_reduce", "reduction"],
  ],
  gaussian_nll_loss: ["input", "target", "var", "full", "eps", "reduction"],
  soft_margin_loss: ["input", "target", ...reductions],
  hinge_embedding_loss: ["input", "target", "margin", ...reductions],
  multilabel_soft_margin_loss: ["input", "target", "weight", ...reductions],
  margin_ranking_loss: ["input1", "input2", "target", "margin", ...reductions],
  cosine_embedding_loss: ["input1", "input2", "target", "margin", ...reductions],
  triplet_margin_loss: [
    ...["anchor", "positive", "negative", "margin", "p", "eps", "swap", ...reductions],
  ],
  pad: ["x", "pad", "_mode", "value"],
  gather: ["x", "dim", "index"],
  norm: ["x", "_p", "dim", "keepdim"],
  index_select: ["x", "dim", "index"],
  scatter_add: ["x", "dim", "index", "source"],
  scatter: ["x", "dim", "index", "source"],
};

/** Other names of torch for the parameters of an entry. */
const names: Readonly<Record<string, string>> = {
  input: "x",
  self: "x",
  other: "y",
  mat2: "y",
  tensor: "x",
  num_groups: "groups",
  src: "source",
  sections: "chunks",
  split_size_or_sections: "split_size",
  normalized_shape: "_normalized_shape",
};

/** The same where a name means another parameter from function to function. Source: PyTorch 2.13. */
const ownNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  addmm: { mat1: "x" },
  bmm: { batch2: "y" },
  broadcast_to: { shape: "size" },
  embedding: { input: "ids" },
  matmul: { tensor2: "y" },
  one_hot: { input: "ids", tensor: "ids" },
  outer: { vec2: "y" },
  pow: { exponent: "y" },
  scatter: { value: "source" },
  swapaxes: { axis0: "dim0", axis1: "dim1" },
  take: { indices: "index" },
  take_along_dim: { indices: "index" },
  tile: { dims: "repeats" },
  view: { size: "shape" },
};

/**
 * The arguments of a call of torch under the names of the library entry's parameters; an argument
 * that the entry does not take keeps its own name behind a `_`.
 */
export function asEntryTakesThem(
  name: string,
  entry: LibraryEntry,
  args: readonly Argument[],
): readonly Argument[] {
  const order = fieldOf(orders, name);
  const takes = (key: string) => entry.parameters.includes(key) || key === entry.leading;
  let position = 0;
  const named = args.flatMap((argument): Argument[] => {
    const own = argument.name;
    if (own === undefined) {
      const key = order?.[position++];
      if (key === undefined) return [argument];
      if (argument.value.kind === "none") return [];
      return [{ ...argument, name: isOfSeveral(key, argument) ? "normalized_shape" : key }];
    }
    if (own === "unbiased" && takes("correction")) return [corrected(argument)];
    if (isTaken(own, argument, takes) || own === "dim" || own === "axis") {
      return argument.value.kind === "none" ? [] : [argument];
    }
    const other = fieldOf(fieldOf(ownNames, name), own) ?? fieldOf(names, own);
    if (other !== undefined && takes(other)) return [{ ...argument, name: other }];
    return argument.value.kind === "none" ? [] : [{ ...argument, name: `_${own}` }];
  });
  return takes("reduction") ? withReduction(named) : named;
}

/** `size_average` and `reduce`, which come before `reduction`, as that. */
function withReduction(args: readonly Argument[]): readonly Argument[] {
  const given = (name: string) => args.find((argument) => argument.name === name);
  const [average, reduce] = [given("_size_average"), given("_reduce")];
  const said = average ?? reduce;
  if (said === undefined) return args;
  const value = text(reductionOf(average?.value, reduce?.value));
  const replaced = new Set<string | undefined>(reductions);
  const others = args.filter(({ name }) => !replaced.has(name));
  return [...others, { ...said, name: "reduction", value }];
}

/** The `reduction` that the legacy arguments `size_average` and `reduce` mean together. */
export function reductionOf(average: Value | undefined, reduce: Value | undefined): string {
  if (reduce?.kind === "bool" && !reduce.value) return "none";
  return average?.kind === "bool" && !average.value ? "sum" : "mean";
}

/** Whether a normalised shape has several dims; for a single dim the entry needs no argument. */
function isOfSeveral(key: string, { value }: Argument): boolean {
  return key === "_normalized_shape" && (itemsOf(value)?.length ?? 1) > 1;
}

function isTaken(own: string, argument: Argument, takes: (key: string) => boolean): boolean {
  if (own !== "normalized_shape") return takes(own);
  return takes(own) && isOfSeveral(`_${own}`, argument);
}

/** `unbiased=False`, from before there was `correction`. */
function corrected(argument: Argument): Argument {
  const { value } = argument;
  const isBiased = value.kind === "bool" && !value.value;
  return { ...argument, name: "correction", value: { kind: "int", value: isBiased ? 0n : 1n } };
}

/** Arguments of torch that do not change the result, or change it only in layers with dropout. */
const idle: ReadonlySet<string> = new Set([
  ...["_normalized_shape", "_training", "_use_input_stats", "_momentum", "_inplace"],
  ...["_dtype", "_device", "_non_blocking", "_copy", "_memory_format"],
]);

/**
 * The argument that the library does not have, if the call gives one that matters: a number that
 * changes nothing, such as a dropout of 0, does not.
 */
export function unreadArgument(extra: readonly Argument[]): string | undefined {
  const unread = extra.find(({ name, value }) => {
    if (name !== undefined && idle.has(name)) return false;
    if (name === "_p") return !(value.kind === "int" && value.value === 2n);
    return !(name === "_dropout_p" && isZero(value)) && !(name === "_alpha" && isOne(value));
  });
  return unread && (unread.name?.replace(/^_/, "") ?? "an argument");
}

function isZero(value: Argument["value"]): boolean {
  return (value.kind === "float" || value.kind === "int") && Number(value.value) === 0;
}

function isOne(value: Argument["value"]): boolean {
  return (value.kind === "float" || value.kind === "int") && Number(value.value) === 1;
}
