import type { ScalarFunction } from "#core/ir/body";

/** Unit roundoff of singles. */
const u = 2 ** -24;

/** Size below which a device may treat a number as 0. */
const smallest = 2 ** -126;

/**
 * The error bound of a function on f32: the bounds that WGSL allows its own functions (WGSL
 * §15.7.4, an ULP being at most 2u of the result), and the sums of such bounds for functions that
 * kernels write out.
 */
export function singleRounding(
  name: ScalarFunction,
  [a, b]: readonly number[],
  result: number,
): number {
  const size = Math.abs(result);
  if (size > 3.4e38) return Number.POSITIVE_INFINITY;
  const factor = size === 0 ? 0 : relative(name, a ?? 0, b ?? 0);
  const own = factor * u * size + absolute(name, a ?? 0);
  return own === 0 && exact.has(name) ? 0 : own + smallest;
}

/** Functions that compare or choose, and round nothing. */
const exact: ReadonlySet<ScalarFunction> = new Set([
  ...(["neg", "abs", "sign", "max", "min", "floor", "quotient"] as const),
  ...(["less", "less-equal", "select", "random"] as const),
  ...(["bit-and", "bit-or", "bit-xor"] as const),
]);

function relative(name: ScalarFunction, a: number, b: number): number {
  switch (name) {
    case "add":
    case "sub":
    case "mul":
      return 1;
    case "div":
      return 5;
    case "exp":
      return 6 + 4 * Math.abs(a);
    case "sqrt":
      return 12;
    case "log":
    case "rsqrt":
      return 6;
    case "sigmoid":
      return 14 + 4 * Math.abs(a);
    case "pow": {
      const power = Math.abs(b * Math.log2(Math.abs(a) || 1));
      return 6 + 12 * power + 8 * Math.abs(b);
    }
    default:
      return 0;
  }
}

function absolute(name: ScalarFunction, a: number): number {
  switch (name) {
    case "log":
      return 2 ** -21;
    case "tanh":
      return 24 * u;
    case "erf":
      return 40 * u;
    case "sin":
    case "cos":
      return 16 * u + Math.abs(a) * 2 ** -30;
    default:
      return 0;
  }
}
