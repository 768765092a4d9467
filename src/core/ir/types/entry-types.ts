// Dtypes of results of library operators, where they differ from the first operand's dtype.

import { fieldOf } from "#core/records";
import type { TypeRule } from "./result-types.ts";

const first: TypeRule = { kind: "like", operand: 0 };
const promoted: TypeRule = { kind: "promoted" };
const float: TypeRule = { kind: "float" };
const summed: TypeRule = { kind: "summed", operands: [0] };
const same: TypeRule = { kind: "same" };
const flags: TypeRule = { kind: "always", dtype: "bool" };
const indices: TypeRule = { kind: "always", dtype: "i64" };

const named = (names: string, ...rules: readonly TypeRule[]) =>
  names.split(" ").map((name) => [name, rules] as const);

/** Per entry, a rule for each result; the last rule holds for all further results. */
const rules: Readonly<Record<string, readonly TypeRule[]>> = Object.fromEntries([
  ...named("prelu matmul linear einsum addmm conv1d conv2d conv3d conv_transpose2d", same),
  ...named("attention", { kind: "same", operands: [0, 1, 2] }),
  ...named("exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal logsumexp", float),
  ...named("sin cos tan sinh cosh tanh asinh sigmoid erf erfc deg2rad rad2deg", float),
  ...named("softsign tanhshrink", float),
  ...named("add sub mul pow maximum minimum swiglu outer concat stack", promoted),
  ...named("remainder fmod hypot logaddexp bitwise_and bitwise_or bitwise_xor", promoted),
  ...named("lerp", { kind: "same", operands: [0, 1] }),
  ...named("scatter scatter_add", { kind: "same", operands: [0, 2] }),
  ...named("clamp", { kind: "promoted", besides: ["min", "max"] }),
  ...named("square", { kind: "promoted", number: "i64" }),
  ...named("where", { kind: "promoted", operands: [1, 2] }),
  ...named("div", { kind: "float", wholeWith: "rounding_mode" }),
  ...named("less less_equal greater greater_equal equal not_equal", flags),
  ...named("logical_not logical_and logical_or logical_xor", flags),
  ...named("sum prod cumsum sum_to", summed),
  ...named("argmax argmin one_hot", indices),
  ...named("top_k sort", first, indices),
  ...named("embedding", { kind: "like", operand: 1 }),
  ...named(
    "mse_loss l1_loss smooth_l1_loss kl_div binary_cross_entropy multilabel_soft_margin_loss",
    { kind: "promoted", operands: [0, 1] },
  ),
  ...named("gaussian_nll_loss", promoted),
  ...named("triplet_margin_loss margin_ranking_loss", float),
  ...named("cosine_embedding_loss", { kind: "float", floatsBefore: "all" }),
  ...named("poisson_nll_loss", { kind: "float", floatsBefore: "first" }),
  ...named("binary_cross_entropy_with_logits", { kind: "like", operand: 1 }),
]);

/** The rules of an entry of the library by its name. */
export function typesOfEntry(name: string): readonly TypeRule[] {
  return (Object.hasOwn(rules, name) ? fieldOf(rules, name) : undefined) ?? [first];
}
