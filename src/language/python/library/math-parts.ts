// Functions of `math` about the parts of a float, remainders and nearness.

import type { Span } from "#core/diagnostics";
import type { Argument } from "../values/host.ts";
import { float, none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first, integer } from "./bind-arguments.ts";
import { floatArgument } from "./builtins-number.ts";

/** `math.fmod(x, y)`: the remainder with the sign of `x`. */
export function fmod(rt: Runtime, args: readonly Argument[], span: Span): Value {
  return ofTwo(
    rt,
    "fmod",
    args,
    (x, y) => {
      if (y === 0 || (!Number.isFinite(x) && !Number.isNaN(x)))
        rt.fail("ValueError", "math domain error", span);
      return x % y;
    },
    span,
  );
}

/** Whether a float is ∞ or −∞. */
export function isInfinite(x: number): boolean {
  return Math.abs(x) === Number.POSITIVE_INFINITY;
}

/** The size of `x` with the sign of `y`, which −0 has too. */
export function copySign(x: number, y: number): number {
  const isNegative = y < 0 || Object.is(y, -0);
  return isNegative ? -Math.abs(x) : Math.abs(x);
}

/** `math.modf(x)`: the fraction and the whole part. */
export function modf(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const x = floatArgument(rt, first(bindArguments(rt, "modf", args, "x", span)), span);
  const whole = Math.trunc(x);
  const rest = Number.isFinite(x) ? copySign(x - whole, x) : copySign(0, x);
  return { kind: "tuple", items: [float(rest), float(whole)] };
}

/** `math.frexp(x)`: a mantissa from 0.5 up to 1, and the exponent of 2. */
export function frexp(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const x = floatArgument(rt, first(bindArguments(rt, "frexp", args, "x", span)), span);
  let [mantissa, exponent] = [x, 0];
  if (x !== 0 && Number.isFinite(x)) {
    for (; Math.abs(mantissa) >= 1; exponent += 1) mantissa /= 2;
    for (; Math.abs(mantissa) < 0.5; exponent -= 1) mantissa *= 2;
  }
  return { kind: "tuple", items: [float(mantissa), { kind: "int", value: BigInt(exponent) }] };
}

/** `math.ldexp(x, i)`: x · 2ⁱ, in two factors so that neither overflows alone. */
export function ldexp(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [x = none, i = none] = bindArguments(rt, "ldexp", args, "x i", span);
  const exponent = Number(integer(rt, i, span));
  const half = Math.trunc(exponent / 2);
  const value = floatArgument(rt, x, span) * 2 ** half * 2 ** (exponent - half);
  if (!Number.isFinite(value)) rt.fail("OverflowError", "math range error", span);
  return float(value);
}

/** `math.isclose(a, b, rel_tol, abs_tol)`. */
export function isClose(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const values = bindArguments(rt, "isclose", args, "a b rel_tol? abs_tol?", span);
  const number = (index: number, assumed: number) => {
    const value = values[index];
    return value === undefined ? assumed : floatArgument(rt, value, span);
  };
  const [a, b, relative, absolute] = [number(0, 0), number(1, 0), number(2, 1e-9), number(3, 0)];
  if (a === b) return { kind: "bool", value: true };
  if (!Number.isFinite(a) || !Number.isFinite(b)) return { kind: "bool", value: false };
  const bound = Math.max(relative * Math.max(Math.abs(a), Math.abs(b)), absolute);
  return { kind: "bool", value: Math.abs(a - b) <= bound };
}

/** Runs a function of two floats on the arguments of a call. */
export function ofTwo(
  rt: Runtime,
  name: string,
  args: readonly Argument[],
  run: (x: number, y: number) => number,
  span: Span,
): Value {
  const [x, y] = bindArguments(rt, name, args, "x y", span).map((value) =>
    floatArgument(rt, value ?? none, span),
  );
  return float(run(x ?? 0, y ?? 0));
}
