import type { Span } from "#core/diagnostics";
import { toFloat } from "../values/arithmetic.ts";
import { callSpecial } from "../values/call.ts";
import { plain, typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { floorDivide, floorModulo, roundHalfEven, toFraction } from "../values/numbers.ts";
import { binary } from "../values/operators.ts";
import { none } from "../values/plain-values.ts";
import { chargeProduct, type Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first, integer } from "./bind-arguments.ts";
import type { Builtin } from "./builtins.ts";
import { complexModulus } from "./complex.ts";
import { truncated } from "./number-constructors.ts";

/** Builtin functions on numbers. */
export const numberBuiltins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["abs", absolute],
  ["round", round],
  ["pow", pow],
  ["divmod", divmod],
  ["bin", (rt, args, span) => radix(rt, "bin", args, 2, "0b", span)],
  ["oct", (rt, args, span) => radix(rt, "oct", args, 8, "0o", span)],
  ["hex", (rt, args, span) => radix(rt, "hex", args, 16, "0x", span)],
]);

function absolute(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const value = first(bindArguments(rt, "abs", args, "x", span));
  const own = callSpecial(rt, value, "__abs__", [], span);
  if (own !== undefined) return own;
  const hosted = value.kind === "host" && value.type.unary?.(value, "abs", rt.context, span);
  if (hosted) return hosted;
  const inner = plain(value);
  if (inner.kind === "float") return { kind: "float", value: Math.abs(inner.value) };
  const modulus = complexModulus(inner);
  if (modulus !== undefined) return { kind: "float", value: modulus };
  if (inner.kind === "int" || inner.kind === "bool") {
    const number = BigInt(inner.value);
    return { kind: "int", value: number < 0n ? -number : number };
  }
  return rt.fail("TypeError", `bad operand type for abs(): '${typeName(value)}'`, span);
}

function round(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value = none, digits] = bindArguments(rt, "round", args, "number ndigits?", span);
  const own = callSpecial(rt, value, "__round__", digits === undefined ? [] : [digits], span);
  if (own !== undefined) return own;
  const hosted = value.kind === "host" && value.type.unary?.(value, "round", rt.context, span);
  if (hosted) return hosted;
  const inner = plain(value);
  const places =
    digits === undefined || digits.kind === "none" ? undefined : integer(rt, digits, span);
  if (inner.kind === "int" || inner.kind === "bool") {
    return { kind: "int", value: roundInteger(BigInt(inner.value), places) };
  }
  if (inner.kind !== "float") {
    const message = `type ${typeName(value)} doesn't define __round__ method`;
    return rt.fail("TypeError", message, span);
  }
  if (places === undefined) {
    truncated(rt, inner.value, span);
    const [numerator, denominator] = toFraction(inner.value);
    return { kind: "int", value: roundHalfEven(numerator, denominator) };
  }
  return { kind: "float", value: roundFloat(inner.value, Number(places)) };
}

function roundInteger(value: bigint, places: bigint | undefined): bigint {
  if (places === undefined || places >= 0n) return value;
  if (places < -5000n) return 0n;
  const unit = 10n ** -places;
  return roundHalfEven(value, unit) * unit;
}

/** Correctly rounded, as CPython does through its exact decimal text. */
function roundFloat(value: number, places: number): number {
  if (!Number.isFinite(value) || places > 330 || value === 0) return value;
  if (places < -330) return value < 0 ? -0 : 0;
  const [numerator, denominator] = toFraction(value);
  const unit = 10n ** BigInt(Math.abs(places));
  const scaled =
    places >= 0
      ? roundHalfEven(numerator * unit, denominator)
      : roundHalfEven(numerator, denominator * unit);
  const result = Number(`${scaled}e${-places}`);
  return result === 0 && value < 0 ? -0 : result;
}

function pow(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [base = none, exponent = none, modulus] = bindArguments(
    rt,
    "pow",
    args,
    "base exp mod?",
    span,
  );
  if (modulus === undefined || modulus.kind === "none")
    return binary(rt, "**", base, exponent, span);
  const [a, b, m] = [base, exponent, modulus].map((value) => integer(rt, value, span));
  if (a === undefined || b === undefined || m === undefined) return none;
  if (m === 0n) return rt.fail("ValueError", "pow() 3rd argument cannot be 0", span);
  const root = b < 0n ? inverse(rt, floorModulo(a, m), m, span) : a;
  let [result, square, rest] = [1n, floorModulo(root, m), b < 0n ? -b : b];
  for (; rest > 0n; rest >>= 1n) {
    rt.tick(2, span);
    chargeProduct(rt, m, m, span, 4);
    if (rest & 1n) result = (result * square) % m;
    square = (square * square) % m;
  }
  return { kind: "int", value: floorModulo(result, m) };
}

/** Modular inverse of `a` modulo `m`, by the extended Euclidean algorithm. */
function inverse(rt: Runtime, a: bigint, m: bigint, span: Span): bigint {
  let [left, right] = [a, m];
  let [x, next] = [1n, 0n];
  while (right !== 0n) {
    rt.tick(2, span);
    chargeProduct(rt, left, 1n, span, 64);
    const quotient = floorDivide(left, right);
    [left, right] = [right, left - quotient * right];
    [x, next] = [next, x - quotient * next];
  }
  if (left === 1n || left === -1n) return left * x;
  return rt.fail("ValueError", "base is not invertible for the given modulus", span);
}

function divmod(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [a = none, b = none] = bindArguments(rt, "divmod", args, "x y", span);
  const own =
    callSpecial(rt, a, "__divmod__", [b], span) ?? callSpecial(rt, b, "__rdivmod__", [a], span);
  if (own !== undefined) return own;
  if (!isNumber(plain(a)) || !isNumber(plain(b))) {
    const types = `'${typeName(a)}' and '${typeName(b)}'`;
    return rt.fail("TypeError", `unsupported operand type(s) for divmod(): ${types}`, span);
  }
  const [x, y] = [plain(a), plain(b)];
  const isFloat = x.kind === "float" || y.kind === "float";
  if (isFloat && isNumber(y) && y.kind !== "host" && Number(y.value) === 0) {
    rt.fail("ZeroDivisionError", "float divmod()", span);
  }
  return { kind: "tuple", items: [binary(rt, "//", x, y, span), binary(rt, "%", x, y, span)] };
}

function isNumber(value: Value): value is NumberOrHost {
  return ["int", "float", "bool", "host"].includes(value.kind);
}

type NumberOrHost = Extract<Value, { kind: "int" | "float" | "bool" | "host" }>;

function radix(
  rt: Runtime,
  name: string,
  args: readonly Argument[],
  base: number,
  prefix: string,
  span: Span,
): Value {
  const value = integer(rt, first(bindArguments(rt, name, args, "number", span)), span);
  const magnitude = (value < 0n ? -value : value).toString(base);
  rt.allocateText(magnitude.length, span);
  return { kind: "str", value: `${value < 0n ? "-" : ""}${prefix}${magnitude}` };
}

/** A number argument of `math` as a float. */
export function floatArgument(rt: Runtime, value: Value, span: Span): number {
  const inner = plain(value);
  if (inner.kind === "float" || inner.kind === "int" || inner.kind === "bool") {
    return toFloat(rt, inner, span);
  }
  const own = callSpecial(rt, value, "__float__", [], span);
  if (own?.kind === "float") return own.value;
  return rt.fail("TypeError", `must be real number, not ${typeName(value)}`, span);
}
