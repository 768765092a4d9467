// Numbers that PyTorch 2.13 refuses because they are out of range: rates, counts, bounds, windows.

import { integer, integerOf, numberOf, textOf } from "#language/document/bindings/values";
import { type Check, every } from "./call-fault.ts";
import { bounded, counted, notNegative, ordered, positive, share, whole } from "./ranges.ts";
import { each } from "./value-faults.ts";
import {
  convolved,
  divided,
  pooled,
  resized,
  scaled,
  transposed,
  windows,
  wrapped,
} from "./window-faults.ts";

/** What a variance is added to, which is more than nothing while it is learnt. */
const stable: Check = (call) => {
  const training = call.value("training");
  const isTraining = training?.kind === "bool" && training.value;
  const said = "batch_norm eps must be ";
  const [range, words] = isTraining
    ? ([positive, "positive during training, but got {}"] as const)
    : ([notNegative, "non-negative, but got {}"] as const);
  return bounded("eps", range, said + words, "ValueError")(call);
};

/** A table without rows has none that is asked for. */
function hasRows(message: string): Check {
  return (call) => {
    const isEmpty = call.tensor("weight")?.shape?.[0] === 0;
    const isAsked = call.tensor("input")?.shape?.includes(0) === false;
    return isEmpty && isAsked ? ["RuntimeError", message] : undefined;
  };
}

/** A row of a table that gets no gradient. */
function padded(kind: string, message: string): Check {
  return (call) => {
    const rows = call.tensor("weight")?.shape?.[0] ?? integerOf(call.value("num_embeddings"));
    const row = integerOf(call.value("padding_idx"));
    if (rows === undefined || row === undefined || (row < rows && row >= -rows)) return undefined;
    return [kind, message];
  };
}

/** Whole numbers are drawn from one on, below another. */
function drawnBelow(low: string, high: string): Check {
  return ({ value }) => {
    const [from, to] = [numberOf(value(low)) ?? 0, numberOf(value(high))];
    if (to === undefined || from < to) return undefined;
    const message = `random_ expects 'from' to be less than 'to', but got from=${from} >= to=${to}`;
    return ["RuntimeError", message];
  };
}

/** The two dims of a diagonal that a result has more than its tensor. */
const spanned: Check = (call) => {
  const rank = call.tensor("input")?.shape?.length;
  const dims = [
    integerOf(call.value("dim1") ?? integer(-2)),
    integerOf(call.value("dim2") ?? integer(-1)),
  ];
  if (rank === undefined || dims.some((dim) => dim === undefined)) return undefined;
  const most = rank + 1;
  const wrong = dims.find((dim = 0) => dim >= most || dim < -most);
  if (wrong !== undefined)
    return [
      "IndexError",
      `Dimension out of range (expected to be in range of [${-most}, ${rank}], but got ${wrong})`,
    ];
  const [one = 0, other = 0] = dims.map((dim = 0) => (dim + most) % most);
  const message = `diagonal dimensions cannot be identical ${dims.join(", ")}`;
  return one === other ? ["RuntimeError", message] : undefined;
};

const table = whole("padding_idx", "IndexError");

/** A dim that is cut into so many parts of the same size. */
function cutAlong(dimOf: (rank: number) => number): Check {
  return (call) => {
    const shape = call.tensor("input")?.shape;
    const count = integerOf(call.value("sections") ?? call.value("indices"));
    if (shape === undefined || count === undefined) return undefined;
    const dim = dimOf(shape.length);
    const size = shape[dim];
    if (size === undefined || (count > 0 && size % count === 0)) return undefined;
    const message = `torch.${call.name} attempted to split along dimension ${dim}, but the size of the dimension ${size} is not divisible by the split_size ${count}!`;
    return ["RuntimeError", message];
  };
}

const inTriangle = every(
  counted("row", notNegative, "row must be non-negative, got {}"),
  counted("col", notNegative, "col must be non-negative, got {}"),
);

/** As many copies as the rows of a repeated dim are said to be. */
const repeated: Check = (call) => {
  const shape = call.tensor("input")?.shape;
  const [times, said] = [call.value("repeats"), call.value("output_size")].map(integerOf);
  const dim = integerOf(call.value("dim"));
  const size = dim === undefined ? shape?.reduce((all, each) => all * each, 1) : shape?.at(dim);
  if (times === undefined || said === undefined || size === undefined) return undefined;
  if (said === size * times) return undefined;
  const message = `repeat_interleave: Invalid output_size, expected ${size * times} but got ${said}`;
  return ["RuntimeError", message];
};

const dropped = bounded(
  "p",
  share,
  "dropout probability has to be between 0 and 1, but got {}",
  "ValueError",
);
const apart = bounded("margin", positive, "margin must be greater than 0, got {}", "ValueError");
const apartOfLayer = bounded(
  "margin",
  positive,
  "{name}: expected margin to be greater than 0, got {} instead",
  "ValueError",
);
const linear = bounded(
  "p",
  (p) => p === 1 || p === 2,
  "only p == 1 and p == 2 supported",
  "ValueError",
);
const drawn = bounded("p", share, "bernoulli_ expects p to be in [0, 1], but got p={}");
const ranked = bounded("q", share, "quantile() q must be in the range [0, 1] but got {}");
const spread = bounded("std", notNegative, "normal expects std >= 0.0, but found std {}");
const between = (low: string, high: string) =>
  ordered(
    [low, 0],
    [high, 1],
    `uniform_ expects to return a [from, to) range, but found from > to`,
  );
const ofPower = bounded(
  "norm_type",
  (power) => power !== 0,
  "float division by zero",
  "ZeroDivisionError",
);
const close = every(
  bounded("rtol", notNegative, "rtol must be greater than or equal to zero, but got {}"),
  bounded("atol", notNegative, "atol must be greater than or equal to zero, but got {}"),
);

/** The kernel that adds up the rows of a table into bags, which float64 does not have, wants elements. */
const rowsOfSome: Check = (call) => {
  const weight = call.tensor("weight");
  const isAdded = textOf(call.value("mode")) !== "max" && weight?.tensor.dtype !== "f64";
  return isAdded && weight?.shape?.[1] === 0
    ? ["RuntimeError", "embedding_bag(): the rows of the table have no elements"]
    : undefined;
};

/** Checks by the names of functions, and of layers for what they refuse when they are made. */
export const boundChecks: Readonly<Record<string, Check>> = {
  ...each("alpha_dropout feature_alpha_dropout dropout1d dropout2d dropout3d Dropout", dropped),
  celu: bounded("alpha", (alpha) => alpha !== 0, "ZeroDivisionError: alpha cannot be 0 for CELU"),
  softshrink: bounded("lambd", notNegative, "lambda must be no less than 0, but found {}"),
  hardtanh: ordered(
    ["min_val", -1],
    ["max_val", 1],
    "min_val cannot be greater than max_val",
    "ValueError",
  ),
  rrelu: ordered(
    ["lower", 1 / 8],
    ["upper", 1 / 3],
    "Lower bound should be less than or equal to the upper bound",
  ),
  ...each("max_pool1d max_pool2d max_pool3d", pooled),
  ...each("avg_pool1d avg_pool2d avg_pool3d", every(pooled, divided)),
  ...each("lp_pool1d lp_pool2d lp_pool3d", every(ofPower, windows)),
  ...each("fractional_max_pool2d fractional_max_pool3d", whole("kernel_size")),
  ...each("unfold fold", windows),
  ...each("interpolate upsample", scaled),
  ...each("upsample_bilinear upsample_nearest", resized),
  ...each("conv1d conv2d conv3d", convolved),
  ...each("conv_transpose1d conv_transpose2d conv_transpose3d", transposed),
  local_response_norm: counted(
    "size",
    positive,
    "kernel size should be greater than zero, but got kT: {} kH: 1 kW: 1",
  ),
  batch_norm: stable,
  cosine_similarity: bounded("eps", notNegative, "eps must be non-negative, got: {}"),
  embedding: every(
    padded("AssertionError", "Padding_idx must be within num_embeddings"),
    hasRows("index_select(): self indexing axis dim should be positive"),
  ),
  embedding_bag: every(
    rowsOfSome,
    padded("RuntimeError", "padding_idx must be within the number of embeddings"),
    hasRows("Index 0 of input is not in the valid range [0, 0)"),
  ),
  pad: wrapped,
  huber_loss: bounded(
    "delta",
    positive,
    "huber_loss does not support non-positive values for delta.",
  ),
  smooth_l1_loss: bounded(
    "beta",
    notNegative,
    "smooth_l1_loss does not support negative values for beta.",
  ),
  ...each("cross_entropy nll_loss", whole("ignore_index")),
  ...each("triplet_margin_loss triplet_margin_with_distance_loss", apart),
  ...each("TripletMarginLoss TripletMarginWithDistanceLoss", apartOfLayer),
  ...each("multi_margin_loss MultiMarginLoss", linear),
  Embedding: every(table, padded("AssertionError", "Padding_idx must be within num_embeddings")),
  EmbeddingBag: every(table, padded("AssertionError", "padding_idx must be within num_embeddings")),
  histc: every(
    counted("bins", positive, "torch.histogram(): bins must be > 0, but got {} for dimension 0"),
    ordered(["min", 0], ["max", 0], "torch.histc: max must be larger than min"),
  ),
  ...each("isclose allclose", close),
  ...each("quantile nanquantile", ranked),
  renorm: every(
    bounded("p", positive, "renorm: non-positive-norm not supported"),
    bounded("maxnorm", notNegative, "renorm: expected maxnorm to be >= 0 but got {}"),
  ),
  diff: bounded("n", notNegative, "order must be non-negative but got {}"),
  tensordot: bounded("dims", notNegative, "tensordot expects dims >= 0, but got dims={}"),
  cdist: bounded("p", notNegative, "cdist only supports non-negative p values"),
  pdist: bounded("p", notNegative, "pdist only supports non-negative p values"),
  ...each("bernoulli bernoulli_", drawn),
  ...each("normal normal_", spread),
  uniform_: between("from", "to"),
  random_: drawnBelow("from", "to"),
  randint_like: drawnBelow("low", "high"),
  as_strided: every(
    counted("stride", notNegative, "as_strided: Negative strides are not supported, got {}"),
    counted("storage_offset", notNegative, "Tensor: invalid storage offset {}"),
  ),
  exponential_: bounded(
    "lambd",
    positive,
    "exponential_ expects lambda > 0.0, but found lambda={}",
  ),
  polygamma: every(
    whole("n"),
    bounded("n", notNegative, "polygamma(n, x) does not support negative n."),
  ),
  mvlgamma: bounded("p", (p) => p >= 1, "p has to be greater than or equal to 1"),
  ...each("tril_indices triu_indices", inTriangle),
  diag_embed: spanned,
  hsplit: cutAlong((rank) => (rank === 1 ? 0 : 1)),
  vsplit: cutAlong(() => 0),
  dsplit: cutAlong(() => 2),
  gradient: bounded(
    "edge_order",
    (order) => order === 1 || order === 2,
    "torch.gradient only supports edge_order=1 and edge_order=2.",
  ),
  repeat_interleave: repeated,
};
