// Memory that autograd keeps of a forward call for its backward pass, by library entry, after the
// derivative formulas of an eager autograd. Entries not listed keep the operands of their gradient.

import { fieldOf } from "#core/records";
import { type BoundCall, listOf, numberOf, operandAt } from "../call.ts";

/** One piece of memory that is kept from a forward call until its backward pass. */
export type SavedMemory =
  | { readonly kind: "operand" | "result"; readonly at: number }
  /**
   * Memory that no tensor of the program describes, as large as an operand or result: `bytes` per
   * element, by default the bytes of its own elements.
   */
  | {
      readonly kind: "beside";
      readonly name: string;
      readonly bytes?: number;
      readonly like: "operand" | "result";
      /** Position among the tensors of the call. */
      readonly at: number;
      /** Factor on the size; 1 if absent. */
      readonly times?: number;
    }
  /** Memory that no tensor of the program describes: `bytes` for every point of some index axes. */
  | {
      readonly kind: "statistics";
      readonly name: string;
      readonly bytes: number;
      readonly axes: readonly string[];
    };

/** The memory kept of a call when gradients of the operands at `wanted` positions are made. */
export type SaveRule = (call: BoundCall, wanted: ReadonlySet<number>) => readonly SavedMemory[];

const operand = (at: number): SavedMemory => ({ kind: "operand", at });
const result = (at = 0): SavedMemory => ({ kind: "result", at });

const nothing: SaveRule = () => [];
const first: SaveRule = () => [operand(0)];
const second: SaveRule = () => [operand(1)];
const both: SaveRule = () => [operand(0), operand(1)];
const results: SaveRule = () => [result()];

/** Each kept thing, with the operands whose gradients read it. */
function each(
  ...rules: readonly (readonly [kept: SavedMemory, readers: readonly number[]])[]
): SaveRule {
  return (_call, wanted) =>
    rules.flatMap(([kept, readers]) => (readers.some((at) => wanted.has(at)) ? [kept] : []));
}

/** A tensor like an operand or result, of the same dtype unless its bytes are given. */
const like = (of: "operand" | "result", name: string, bytes?: number): SavedMemory => ({
  kind: "beside",
  name,
  like: of,
  at: 0,
  ...(bytes !== undefined && { bytes }),
});

/** The identifiers of some dims of the first operand. */
function axesOfDims(call: BoundCall, dims: readonly number[]): readonly string[] {
  const x = operandAt(call, 0);
  return dims.flatMap((dim) => x.dims[dim]?.identifiers ?? []);
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, at) => at);
}

/** The rows over which a norm of the last dims takes its statistics. */
function rowsOfNorm(call: BoundCall): readonly string[] {
  const given = call.inputs[1]?.shape.length ?? listOf(call, "normalized_shape")?.length ?? 1;
  return axesOfDims(call, upTo(operandAt(call, 0).dims.length - given));
}

/** Keep rule of a product: the gradient of each factor reads the other factors. */
function product(factors?: readonly number[]): SaveRule {
  return ({ inputs }, wanted) => {
    const all = factors ?? inputs.map((_, at) => at);
    return all.filter((at) => all.some((other) => other !== at && wanted.has(other))).map(operand);
  };
}

/** A norm keeps what it normalises, its weight, and its statistics in f32. */
function norm(
  names: readonly string[],
  axesOf: (call: BoundCall) => readonly string[],
  affine: readonly number[] = [1],
): SaveRule {
  return (call, wanted) => {
    const axes = axesOf(call);
    const rows = names.map((name): SavedMemory => ({ kind: "statistics", name, bytes: 4, axes }));
    const read = wanted.has(0) || wanted.has(1) ? [operand(0), ...rows] : [];
    const given = affine.filter((at) => call.inputs[at] !== undefined).map(operand);
    return wanted.has(0) ? [...read, ...given] : read;
  };
}

/** Flash attention keeps its operands, its result, and a log of the sum of each row's exponentials. */
const attention: SaveRule = (call) => {
  const rank = operandAt(call, 0).dims.length;
  const axes = axesOfDims(call, upTo(rank - 1));
  const mask = call.inputs[3] === undefined ? [] : [operand(3)];
  const sums: SavedMemory = { kind: "statistics", name: "log-sum-exp", bytes: 4, axes };
  return [operand(0), operand(1), operand(2), ...mask, result(), sums];
};

/** The logarithms of the shares, in the dtype of the input, and the target: not the input itself. */
const classLoss: SaveRule = ({ inputs }) => {
  const weight = inputs[2] === undefined ? [] : [operand(2)];
  return [like("operand", "log-softmax"), operand(1), ...weight];
};

const dropout: SaveRule = (call) =>
  numberOf(call, "p", 0.5) === 0 ? [] : [like("result", "mask", 1)];

/** Keep rule of `pow`; with a number as exponent it keeps the base alone. */
const power: SaveRule = ({ inputs }, wanted) => {
  if (inputs[1] === undefined) return [operand(0)];
  return wanted.has(1) ? [operand(0), operand(1), result()] : [operand(0), operand(1)];
};

/**
 * Keep rule of a division. A number divided by a tensor is that number times the reciprocal, which
 * alone is kept.
 */
const quotient: SaveRule = ({ inputs }, wanted) => {
  if (inputs[0] === undefined) return [like("operand", "reciprocal")];
  return wanted.has(1) ? [operand(0), operand(1)] : [operand(1)];
};

const named = (names: string, rule: SaveRule) =>
  names.split(" ").map((name) => [name, rule] as const);

const rules: Readonly<Record<string, SaveRule>> = Object.fromEntries([
  ...named("neg identity cast accumulate add sub sum mean reduce_mean sum_to cumsum", nothing),
  ...named("deg2rad rad2deg tril triu flip roll pad repeat concat stack split chunk", nothing),
  ...named("reshape flatten squeeze unsqueeze permute transpose expand slice select", nothing),
  ...named("upsample_nearest rotary", nothing),
  ...named("exp sqrt rsqrt tanh sigmoid relu reciprocal expm1 exp2 tan", results),
  ...named("softmax log_softmax", results),
  ...named("abs log log1p log2 log10 sin cos sinh cosh asinh erf erfc square clamp", first),
  ...named("relu6 leaky_relu elu selu celu gelu gelu_tanh silu mish softplus hardswish", first),
  ...named("hardsigmoid hardtanh logsigmoid hardshrink softshrink threshold", first),
  ...named("var avg_pool2d", first),
  ...named("tanhshrink", () => [like("operand", "tanh")]),
  ...named("softsign", () => [operand(0), like("operand", "size")]),
  ...named("mul outer", each([operand(0), [1]], [operand(1), [0]])),
  ...named("div", quotient),
  ...named("matmul einsum", product()),
  ...named("linear", product([0, 1])),
  ...named("addmm", product([1, 2])),
  ...named("remainder fmod", each([operand(0), [1]], [operand(1), [1]])),
  ...named("pow", power),
  ...named("maximum minimum logaddexp prelu", both),
  ...named("hypot", () => [operand(0), operand(1), result()]),
  ...named("where", first),
  ...named("masked_fill", second),
  ...named("lerp", each([operand(0), [2]], [operand(1), [2]], [operand(2), [0, 1]])),
  ...named("swiglu", () => [operand(0), operand(1), like("operand", "silu")]),
  ...named("amax amin prod norm logsumexp", () => [operand(0), result()]),
  ...named("layer_norm layer_norm_with_moments", norm(["mean", "rstd"], rowsOfNorm, [1, 2])),
  ...named("rms_norm rms_norm_with_root", norm(["rstd"], rowsOfNorm)),
  ...named(
    "group_norm",
    norm(["mean", "rstd"], (call) => [...axesOfDims(call, [0]), "groups"]),
  ),
  ...named(
    "batch_norm",
    norm(["mean", "rstd"], (call) => axesOfDims(call, [1])),
  ),
  ...named(
    "instance_norm",
    norm(["mean", "rstd"], (call) => axesOfDims(call, [0, 1])),
  ),
  ...named("attention", attention),
  ...named("conv1d conv2d conv3d conv_transpose2d", both),
  ...named("max_pool2d", () => [operand(0), like("result", "indices", 8)]),
  ...named("embedding", first),
  ...named("gather", both),
  ...named("index_select take scatter scatter_add tensor_scatter_update", second),
  ...named("top_k sort", () => [result(1)]),
  ...named("cross_entropy", classLoss),
  ...named("nll_loss mse_loss smooth_l1_loss huber_loss binary_cross_entropy", both),
  ...named("binary_cross_entropy_with_logits", both),
  ...named("kl_div", each([operand(1), [0]], [operand(0), [1]])),
  ...named("l1_loss", () => [like("operand", "difference")]),
  ...named("poisson_nll_loss", () => [like("operand", "exponential"), operand(1)]),
  ...named("dropout dropout_with_mask", dropout),
]);

/** The keep rule of a library entry; `undefined` if the operands of its gradient tell enough. */
export function keepsOfEntry(name: string): SaveRule | undefined {
  return Object.hasOwn(rules, name) ? fieldOf(rules, name) : undefined;
}

/**
 * Losses that are computed element by element into memory, in which their sum or mean then lies.
 */
export const liesInTerms: ReadonlySet<string> = new Set([
  ...["mse_loss", "smooth_l1_loss", "binary_cross_entropy"],
]);
