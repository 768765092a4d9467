import { apply, type Expr, number, pointwise, read } from "./body.ts";
import { type BoundCall, broadcastAnnotation, numberOf } from "./call.ts";
import { define } from "./define.ts";
import type { Domain, EntrySpec, LibraryEntry } from "./entry.ts";
import { add, div, less, maximum, minimum, mul, neg, select, sub } from "./expressions.ts";
import type { ScalarFunction } from "./scalar.ts";

const x = read(0);

/** What an element-wise entry says beyond its formula. */
type Extra = Partial<Pick<EntrySpec, "linear" | "gradient" | "aliases" | "domains">> & {
  readonly arguments?: readonly string[];
};

/** An operator of one tensor, element by element. */
function unary(
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
/** Its tanh form (Hendrycks and Gimpel 2016). */
const geluTanh = mul(
  0.5,
  x,
  add(1, apply("tanh", mul(Math.sqrt(2 / Math.PI), add(x, mul(0.044715, x, x, x))))),
);
/** `log(1 + eˣ)` without overflow: `max(x, 0) + log(1 + e^−|x|)`. */
const softplus = add(maximum(x, 0), apply("log", add(1, apply("exp", neg(apply("abs", x))))));
const none = { gradient: "none" } as const;
const positive: readonly Domain[] = [{ kind: "positive" }];

export const elementWise: readonly LibraryEntry[] = [
  simple("neg", { linear: [[0]] }),
  unary("identity", () => x, { linear: [[0]], aliases: ["contiguous", "clone", "detach"] }),
  unary("cast", () => x, { linear: [[0]], aliases: ["to", "float"], arguments: ["dtype"] }),
  // Adds to what earlier micro-batches have made; in the unsharded program there is only one.
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
  unary("elu", () => select(less(0, x), x, sub(apply("exp", minimum(x, 0)), 1))),
  unary("gelu", () => gelu),
  unary("gelu_tanh", () => geluTanh),
  unary("silu", () => mul(x, apply("sigmoid", x)), { aliases: ["swish"] }),
  unary("mish", () => mul(x, apply("tanh", softplus))),
  unary("softplus", () => softplus),
  unary("hardswish", () => mul(x, div(minimum(maximum(add(x, 3), 0), 6), 6))),
  unary("clamp", (call) => clamped(call), { arguments: ["min", "max"], aliases: ["clip"] }),
];

function clamped(call: BoundCall): Expr {
  const low = numberOf(call, "min", Number.NEGATIVE_INFINITY);
  const high = numberOf(call, "max", Number.POSITIVE_INFINITY);
  const above = low === Number.NEGATIVE_INFINITY ? x : maximum(x, low);
  return high === Number.POSITIVE_INFINITY ? above : minimum(above, number(high));
}
