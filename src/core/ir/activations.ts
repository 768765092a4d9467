import { apply, type Expr, number, pointwise, read } from "./body/body.ts";
import { add, div, less, maximum, minimum, mul, neg, select, sub } from "./body/expressions.ts";
import { letter, numberOf, shapeAt } from "./call.ts";
import { define } from "./define.ts";
import { positive, unary } from "./element-wise.ts";
import type { LibraryEntry } from "./entry.ts";

const x = read(0);
const size = apply("abs", x);

/** The constants of self-normalising networks (Klambauer et al. 2017). */
const [seluScale, seluAlpha] = [1.0507009873554805, 1.6732632423543772];

/** Below 0 `alpha · (exp(x / alpha) − 1)`: its slope nears 1 from there too. */
function celu(alpha: number): Expr {
  const below = sub(apply("exp", div(minimum(x, 0), alpha)), 1);
  return select(less(0, x), x, mul(alpha, below));
}

const exponential = apply("exp", x);
const inverse = apply("exp", neg(x));

/** `log(|x| + √(x² + 1))` with the sign of x, which loses no digits below 0 and has its slope at 0. */
const upper = apply("log", add(maximum(x, neg(x)), apply("sqrt", add(mul(x, x), 1))));
const asinh = select(less(x, 0), neg(upper), upper);

/** Other functions of one tensor, element by element: activations, logarithms, hyperbolic ones. */
export const activations: readonly LibraryEntry[] = [
  unary("selu", () =>
    select(
      less(0, x),
      mul(seluScale, x),
      mul(seluScale * seluAlpha, sub(apply("exp", minimum(x, 0)), 1)),
    ),
  ),
  unary("celu", (call) => celu(numberOf(call, "alpha", 1)), { arguments: ["alpha"] }),
  unary("softsign", () => div(x, add(1, size))),
  unary("hardsigmoid", () => div(minimum(maximum(add(x, 3), 0), 6), 6)),
  unary(
    "hardtanh",
    (call) =>
      minimum(maximum(x, numberOf(call, "min_val", -1)), number(numberOf(call, "max_val", 1))),
    { arguments: ["min_val", "max_val"] },
  ),
  unary("logsigmoid", () =>
    sub(minimum(x, 0), apply("log", add(1, apply("exp", minimum(x, neg(x)))))),
  ),
  unary("tanhshrink", () => sub(x, apply("tanh", x))),
  unary("hardshrink", (call) => select(less(numberOf(call, "lambd", 0.5), size), x, 0), {
    arguments: ["lambd"],
  }),
  unary(
    "softshrink",
    (call) => mul(apply("sign", x), maximum(sub(size, numberOf(call, "lambd", 0.5)), 0)),
    { arguments: ["lambd"] },
  ),
  unary(
    "threshold",
    (call) => select(less(numberOf(call, "threshold", 0), x), x, numberOf(call, "value", 0)),
    { arguments: ["threshold", "value"] },
  ),
  unary("log1p", () => apply("log", add(1, x)), { domains: positive }),
  unary("log2", () => mul(Math.LOG2E, apply("log", x)), { domains: positive }),
  unary("log10", () => mul(Math.LOG10E, apply("log", x)), { domains: positive }),
  unary("expm1", () => sub(exponential, 1)),
  unary("exp2", () => apply("exp", mul(Math.LN2, x))),
  unary("tan", () => div(apply("sin", x), apply("cos", x))),
  unary("sinh", () => mul(0.5, sub(exponential, inverse))),
  unary("cosh", () => mul(0.5, add(exponential, inverse))),
  unary("asinh", () => asinh),
  unary("erfc", () => sub(1, apply("erf", x))),
  unary("deg2rad", () => mul(Math.PI / 180, x), { linear: [[0]] }),
  unary("rad2deg", () => mul(180 / Math.PI, x), { linear: [[0]] }),
  unary("ceil", () => neg(apply("floor", neg(x))), { gradient: "none" }),
  unary("trunc", () => mul(apply("sign", x), apply("floor", size)), { gradient: "none" }),
  // PReLU: its slope below 0 is a parameter, one for all or one for each channel.
  define({
    name: "prelu",
    parameters: ["x", "weight"],
    annotate: (call) => {
      const rank = shapeAt(call, 0).length;
      const dims = Array.from({ length: rank }, (_, dim) => letter(dim));
      const slopes = shapeAt(call, 1)[0] === 1 ? "1" : letter(Math.min(1, rank - 1));
      return `${dims.join(" ")}, ${slopes} -> ${dims.join(" ")}`;
    },
    body: () => pointwise(select(less(0, x), x, mul(read(1), x))),
    gradient: "derived",
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")], [n("b")]], attributes: {} }),
  }),
];
