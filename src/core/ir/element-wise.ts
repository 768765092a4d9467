import { apply, type Expr, number, pointwise, read } from "./body/body.ts";
import { add, div, less, maximum, minimum, mul, neg, select, sub } from "./body/expressions.ts";
import type { ScalarFunction } from "./body/scalar.ts";
import { type BoundCall, broadcastAnnotation, numberOf, textOf } from "./call.ts";
import { define } from "./define.ts";
import type { Domain, EntrySpec, LibraryEntry } from "./entry.ts";

const x = read(0);

/** Fields of an element-wise entry beyond its formula. */
type Extra = Partial<Pick<EntrySpec, "linear" | "gradient" | "aliases" | "domains">> & {
  readonly arguments?: readonly string[];
};

/** An operator of one tensor, element by element. */
export function unary(
  name: string,
  formula: (call: BoundCall) => Expr,
  { arguments: names = [], ...extra }: Extra = {},
): LibraryEntry {
  return define({
    name,
    parameters: ["x", ...names],
    tensors: 1,
    annotate: broadcastAnnotation,
    body: (call) => pointwise(formula(call)),
    gradient: "derived",
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: {} }),
    ...extra,
  });
}

function simple(name: ScalarFunction, extra: Extra = {}): LibraryEntry {
  return unary(name, () => apply(name, x), extra);
}

/** The exact formula: `x/2 · (1 + erf(x/√2))`. */
const gelu = mul(0.5, x, add(1, apply("erf", mul(Math.SQRT1_2, x))));
/** GELU in its tanh form (Hendrycks and Gimpel 2016). */
const geluTanh = mul(
  0.5,
  x,
  add(1, apply("tanh", mul(Math.sqrt(2 / Math.PI), add(x, mul(0.044715, x, x, x))))),
);
/** `log(1 + eˣ)` without overflow: `max(x, 0) + log(1 + e^min(−x, x))`, whose slope at 0 is a half. */
const softplus = add(maximum(x, 0), apply("log", add(1, apply("exp", minimum(neg(x), x)))));

/**
 * Softplus scaled by `beta`; no threshold: above one it is the identity to the last digit anyway.
 */
function softplusOf(beta: number): Expr {
  if (beta === 1) return softplus;
  const scaled = mul(beta, x);
  const rest = apply("log", add(1, apply("exp", minimum(neg(scaled), scaled))));
  return div(add(maximum(scaled, 0), rest), beta);
}

/** ELU: below 0 it nears `−alpha`, as fast as `rate` says. */
function elu(alpha: number, rate = 1): Expr {
  const below = sub(apply("exp", minimum(mul(rate, x), 0)), 1);
  return select(less(0, x), x, mul(alpha, below));
}

const none = { gradient: "none" } as const;
export const positive: readonly Domain[] = [{ kind: "positive" }];

export const elementWise: readonly LibraryEntry[] = [
  simple("neg", { linear: [[0]] }),
  unary("logical_not", () => select(x, 0, 1), none),
  unary("identity", () => x, { linear: [[0]], aliases: ["contiguous", "clone", "detach"] }),
  unary("cast", () => x, { linear: [[0]], aliases: ["to", "float"], arguments: ["dtype"] }),
  // Adds to the result of earlier micro-batches; in the unsharded program there is only one.
  unary("accumulate", () => x, { linear: [[0]] }),
  unary("zeros_like", () => number(0), { linear: [[0]], ...none }),
  simple("abs"),
  simple("sign", none),
  simple("floor", none),
  simple("exp"),
  simple("log", { domains: positive }),
  simple("sqrt", { domains: positive }),
  simple("rsqrt", { domains: positive }),
  unary("reciprocal", () => div(1, x), { domains: positive }),
  unary("square", () => mul(x, x)),
  simple("tanh"),
  simple("sigmoid"),
  simple("erf"),
  simple("sin"),
  simple("cos"),
  unary("relu", () => maximum(x, 0)),
  unary("relu6", () => minimum(maximum(x, 0), 6)),
  unary("leaky_relu", (call) => maximum(x, mul(numberOf(call, "negative_slope", 0.01), x)), {
    arguments: ["negative_slope"],
  }),
  unary("elu", (call) => elu(numberOf(call, "alpha", 1)), { arguments: ["alpha"] }),
  unary("gelu", (call) => (textOf(call, "approximate", "none") === "tanh" ? geluTanh : gelu), {
    arguments: ["approximate"],
  }),
  unary("gelu_tanh", () => geluTanh),
  unary("silu", () => mul(x, apply("sigmoid", x)), { aliases: ["swish"] }),
  unary("mish", () => mul(x, apply("tanh", softplus))),
  unary("softplus", (call) => softplusOf(numberOf(call, "beta", 1)), {
    arguments: ["beta", "threshold"],
  }),
  unary("hardswish", () => mul(x, div(minimum(maximum(add(x, 3), 0), 6), 6))),
  unary("clamp", (call) => clamped(call), { arguments: ["min", "max"], aliases: ["clip"] }),
];

function clamped(call: BoundCall): Expr {
  const low = numberOf(call, "min", Number.NEGATIVE_INFINITY);
  const high = numberOf(call, "max", Number.POSITIVE_INFINITY);
  const above = low === Number.NEGATIVE_INFINITY ? x : maximum(x, low);
  return high === Number.POSITIVE_INFINITY ? above : minimum(above, number(high));
}
