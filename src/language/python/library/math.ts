import type { Span } from "#core/diagnostics";
import { withOrigin } from "../values/arithmetic.ts";
import { callSpecial } from "../values/call.ts";
import type { Argument } from "../values/host.ts";
import { bitLength } from "../values/numbers.ts";
import { float, none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first } from "./bind-arguments.ts";
import { floatArgument } from "./builtins-number.ts";
import { integerFunctions } from "./math-integers.ts";
import { dist, fsum, prod } from "./math-of-many.ts";
import { copySign, fmod, frexp, isClose, isInfinite, ldexp, modf, ofTwo } from "./math-parts.ts";
import { erf, erfc, gamma, lgamma, nextAfter, remainder, ulp } from "./math-special.ts";
import { truncated } from "./number-constructors.ts";

type MathFunction = (rt: Runtime, args: readonly Argument[], span: Span) => Value;

const constants: Readonly<Record<string, number>> = {
  pi: Math.PI,
  e: Math.E,
  tau: 2 * Math.PI,
  inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

/** Functions of one float that JavaScript computes as C does. */
const plainFunctions: Readonly<Record<string, (x: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  exp: Math.exp,
  expm1: Math.expm1,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  fabs: Math.abs,
  log1p: Math.log1p,
  erf,
  erfc,
  gamma,
  lgamma,
  ulp,
  degrees: (x) => x * (180 / Math.PI),
  radians: (x) => x * (Math.PI / 180),
};

const functions: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ...integerFunctions,
  ["floor", (rt, args, span) => rounded(rt, "floor", args, span)],
  ["ceil", (rt, args, span) => rounded(rt, "ceil", args, span)],
  ["trunc", (rt, args, span) => rounded(rt, "trunc", args, span)],
  ["log", log],
  [
    "log2",
    (rt, args, span) =>
      float(logarithm(rt, first(bindArguments(rt, "log2", args, "x", span)), Math.log2, span)),
  ],
  [
    "log10",
    (rt, args, span) =>
      float(logarithm(rt, first(bindArguments(rt, "log10", args, "x", span)), Math.log10, span)),
  ],
  ["pow", pow],
  ["atan2", (rt, args, span) => ofTwo(rt, "atan2", args, Math.atan2, span)],
  ["fmod", fmod],
  [
    "remainder",
    (rt, args, span) =>
      ofTwo(
        rt,
        "remainder",
        args,
        (x, y) => {
          const isRefused = (y === 0 && !Number.isNaN(x)) || (isInfinite(x) && !Number.isNaN(y));
          if (isRefused) rt.fail("ValueError", "math domain error", span);
          return remainder(x, y);
        },
        span,
      ),
  ],
  ["nextafter", (rt, args, span) => ofTwo(rt, "nextafter", args, nextAfter, span)],
  ["copysign", (rt, args, span) => ofTwo(rt, "copysign", args, copySign, span)],
  [
    "hypot",
    (rt, args, span) =>
      float(Math.hypot(...args.map(({ value }) => floatArgument(rt, value, span)))),
  ],
  ["dist", dist],
  ["modf", modf],
  ["frexp", frexp],
  ["ldexp", ldexp],
  [
    "exp2",
    (rt, args, span) =>
      float(2 ** floatArgument(rt, first(bindArguments(rt, "exp2", args, "x", span)), span)),
  ],
  ["prod", prod],
  ["fsum", fsum],
  ["isclose", isClose],
  ["isnan", (rt, args, span) => test(rt, "isnan", args, Number.isNaN, span)],
  ["isinf", (rt, args, span) => test(rt, "isinf", args, isInfinite, span)],
  ["isfinite", (rt, args, span) => test(rt, "isfinite", args, Number.isFinite, span)],
]);

/** The names of the module `math`. */
export function mathModule(rt: Runtime): ReadonlyMap<string, Value> {
  const members = new Map<string, Value>();
  for (const [name, value] of Object.entries(constants))
    members.set(name, { kind: "float", value });
  for (const [name, run] of Object.entries(plainFunctions)) {
    const call = (args: readonly Argument[], _context: unknown, span: Span) =>
      openNumber(rt, args, span) ?? originated(name, args, onFloat(rt, name, args, run, span));
    members.set(name, { kind: "host-function", name, call });
  }
  for (const [name, run] of functions) {
    members.set(name, {
      kind: "host-function",
      name,
      call: (args, _context, span) =>
        openNumber(rt, args, span) ?? originated(name, args, run(rt, args, span)),
    });
  }
  return members;
}

/** Result with its origin, when an argument or an item of one has an origin. */
function originated(name: string, args: readonly Argument[], result: Value): Value {
  const values = args.flatMap(({ value }) =>
    value.kind === "tuple" || value.kind === "list" ? value.items : [value],
  );
  return withOrigin(result, name, values);
}

/** An unknown number among the arguments, which is then the result; else `undefined`. */
function openNumber(rt: Runtime, args: readonly Argument[], span: Span): Value | undefined {
  for (const { value } of args) {
    if (value.kind !== "host") continue;
    const number = value.type.number?.(value, "float", rt.context, span);
    if (number?.kind === "host") return number;
  }
  return undefined;
}

function onFloat(
  rt: Runtime,
  name: string,
  args: readonly Argument[],
  run: (x: number) => number,
  span: Span,
): Value {
  const x = floatArgument(rt, first(bindArguments(rt, name, args, "x", span)), span);
  const value = run(x);
  if (Number.isNaN(value) && !Number.isNaN(x)) rt.fail("ValueError", "math domain error", span);
  if (!Number.isFinite(value) && Number.isFinite(x)) {
    if (name === "atanh" || name === "log1p") rt.fail("ValueError", "math domain error", span);
    rt.fail("OverflowError", "math range error", span);
  }
  return float(value);
}

function rounded(
  rt: Runtime,
  name: "floor" | "ceil" | "trunc",
  args: readonly Argument[],
  span: Span,
): Value {
  const value = first(bindArguments(rt, name, args, "x", span));
  if (value.kind === "int") return value;
  const own = callSpecial(rt, value, `__${name}__`, [], span);
  if (own !== undefined) return own;
  return { kind: "int", value: truncated(rt, Math[name](floatArgument(rt, value, span)), span) };
}

function log(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value = none, base] = bindArguments(rt, "log", args, "x base?", span);
  const top = logarithm(rt, value, Math.log, span);
  if (base === undefined) return float(top);
  const below = logarithm(rt, base, Math.log, span);
  if (below === 0) rt.fail("ZeroDivisionError", "float division by zero", span);
  return float(top / below);
}

/** Logarithm, also of integers too large for a float. */
function logarithm(rt: Runtime, value: Value, run: (x: number) => number, span: Span): number {
  if (value.kind === "int" && bitLength(value.value) > 1000) {
    const shift = bitLength(value.value) - 60;
    return run(Number(value.value >> BigInt(shift))) + shift * run(2);
  }
  const x = floatArgument(rt, value, span);
  if (x <= 0) rt.fail("ValueError", "math domain error", span);
  return run(x);
}

function pow(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [a, b] = bindArguments(rt, "pow", args, "x y", span).map((value) =>
    floatArgument(rt, value ?? none, span),
  );
  const [x, y] = [a ?? 0, b ?? 0];
  const value =
    x === 1 || y === 0 ? 1 : x === -1 && !Number.isFinite(y) && !Number.isNaN(y) ? 1 : x ** y;
  const areFinite = Number.isFinite(x) && Number.isFinite(y);
  if (areFinite && Number.isNaN(value)) rt.fail("ValueError", "math domain error", span);
  if (areFinite && !Number.isFinite(value)) {
    if (x === 0) rt.fail("ValueError", "math domain error", span);
    rt.fail("OverflowError", "math range error", span);
  }
  return float(value);
}

function test(
  rt: Runtime,
  name: string,
  args: readonly Argument[],
  holds: (x: number) => boolean,
  span: Span,
): Value {
  const x = floatArgument(rt, first(bindArguments(rt, name, args, "x", span)), span);
  return { kind: "bool", value: holds(x) };
}
