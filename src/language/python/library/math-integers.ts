import type { Span } from "#core/diagnostics";
import { typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { bitLength } from "../values/numbers.ts";
import { none } from "../values/plain-values.ts";
import { chargeProduct, type Runtime } from "../values/runtime.ts";
import { asIndex } from "../values/subscript.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first, integer } from "./bind-arguments.ts";

type MathFunction = (rt: Runtime, args: readonly Argument[], span: Span) => Value;

/** Exact functions of `math` on integers. */
export const integerFunctions: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ["isqrt", isqrt],
  ["gcd", (rt, args, span) => fold(rt, args, 0n, (a, b) => gcd(rt, a, b, span), span)],
  ["lcm", (rt, args, span) => fold(rt, args, 1n, (a, b) => lcm(rt, a, b, span), span)],
  ["factorial", factorial],
  ["comb", comb],
  ["perm", perm],
]);

function isqrt(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const value = integer(rt, first(bindArguments(rt, "isqrt", args, "n", span)), span);
  if (value < 0n) rt.fail("ValueError", "isqrt() argument must be nonnegative", span);
  if (value < 2n) return { kind: "int", value };
  let root = 1n << BigInt((bitLength(value) + 1) >> 1);
  for (;;) {
    rt.tick(1 + (bitLength(value) >> 6), span);
    const next = (root + value / root) >> 1n;
    if (next >= root) return { kind: "int", value: root };
    root = next;
  }
}

function fold(
  rt: Runtime,
  args: readonly Argument[],
  start: bigint,
  combine: (a: bigint, b: bigint) => bigint,
  span: Span,
): Value {
  const value = args.reduce(
    (total, argument) => combine(total, integer(rt, argument.value, span)),
    start,
  );
  return { kind: "int", value };
}

/**
 * Greatest common divisor. Each division is charged by the length of its dividend, since the number
 * of divisions grows with that too.
 */
function gcd(rt: Runtime, a: bigint, b: bigint, span: Span): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  if (y > 0n) chargeProduct(rt, x, y, span);
  while (y > 0n) {
    chargeProduct(rt, x, 1n, span, 2);
    [x, y] = [y, x % y];
  }
  return x;
}

function lcm(rt: Runtime, a: bigint, b: bigint, span: Span): bigint {
  if (a === 0n || b === 0n) return 0n;
  const common = gcd(rt, a, b, span);
  chargeProduct(rt, a, b, span, 2);
  rt.allocateBits(bitLength(a) + bitLength(b) - bitLength(common), span);
  const product = (a / common) * b;
  return product < 0n ? -product : product;
}

function factorial(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const given = first(bindArguments(rt, "factorial", args, "x", span));
  const count = asIndex(rt, given, span);
  if (count === undefined) {
    return rt.fail(
      "TypeError",
      `'${typeName(given)}' object cannot be interpreted as an integer`,
      span,
    );
  }
  if (count < 0n) rt.fail("ValueError", "factorial() not defined for negative values", span);
  return { kind: "int", value: descending(rt, count, count, span) };
}

/** n · (n − 1) · …, `count` factors. */
function descending(rt: Runtime, n: bigint, count: bigint, span: Span): bigint {
  let product = 1n;
  for (let index = 0n; index < count; index += 1n) {
    rt.tick(1 + (bitLength(product) >> 9), span);
    rt.allocateBits(bitLength(product), span);
    product *= n - index;
  }
  return product;
}

function comb(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [n, k] = pair(rt, "comb", args, span);
  if (k > n) return { kind: "int", value: 0n };
  const rest = n - k;
  let fewer = k;
  if (rest < k) fewer = rest;
  return {
    kind: "int",
    value: descending(rt, n, fewer, span) / descending(rt, fewer, fewer, span),
  };
}

function perm(rt: Runtime, args: readonly Argument[], span: Span): Value {
  if (args.length === 1) return factorial(rt, args, span);
  const [n, k] = pair(rt, "perm", args, span);
  return { kind: "int", value: k > n ? 0n : descending(rt, n, k, span) };
}

function pair(
  rt: Runtime,
  name: string,
  args: readonly Argument[],
  span: Span,
): readonly [bigint, bigint] {
  const [n = none, k = none] = bindArguments(rt, name, args, "n k", span);
  const [a, b] = [integer(rt, n, span), integer(rt, k, span)];
  if (a < 0n) rt.fail("ValueError", "n must be a non-negative integer", span);
  if (b < 0n) rt.fail("ValueError", "k must be a non-negative integer", span);
  return [a, b];
}
