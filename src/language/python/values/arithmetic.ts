import type { Span } from "#core/diagnostics";
import { bitLength, floatDivmod, floorDivide, floorModulo, trueDivide } from "./numbers.ts";
import { bitBound, chargeProduct, chargeSize, type Runtime } from "./runtime.ts";
import { Raised } from "./signals.ts";
import type { NumberFacts, Value } from "./value.ts";

/** `a op b` for int, bool and float, with its origin; `undefined` for other values. */
export function binaryNumbers(
  rt: Runtime,
  operator: string,
  a: Value,
  b: Value,
  span: Span,
): Value | undefined {
  const result = binaryResult(rt, operator, a, b, span);
  if (result === undefined || (isPlain(a) && isPlain(b))) return result;
  return withFacts(result, operator, [a, b]);
}

function isPlain(value: Value): boolean {
  const { origin, ofLibrary } = value as NumberFacts;
  return origin === undefined && ofLibrary === undefined;
}

/**
 * Result of a Python operator on numbers; with an operand of a library's number type it gets that
 * type too.
 */
export function withFacts(value: Value, operator: string, operands: readonly Value[]): Value {
  const [ofLibrary] = operands.flatMap((each) => (each as NumberFacts).ofLibrary ?? []);
  const made = withOrigin(value, operator, operands);
  const isNumber = made.kind === "int" || made.kind === "float";
  return ofLibrary !== undefined && isNumber ? { ...made, ofLibrary } : made;
}

/** A library's number as a plain Python number. */
export function asPython<T extends NumberFacts>(number: T): T {
  if (number.ofLibrary === undefined) return number;
  const { ofLibrary: _, ...own } = number;
  return own as T;
}

/** A computed number with its origin, if an operand has one; else unchanged. */
export function withOrigin(value: Value, operator: string, operands: readonly Value[]): Value {
  if (value.kind !== "int" && value.kind !== "float") return value;
  if (operands.every((each) => (each as NumberFacts).origin === undefined)) return value;
  return { ...value, origin: { kind: "made", operator, operands } };
}

function binaryResult(
  rt: Runtime,
  operator: string,
  a: Value,
  b: Value,
  span: Span,
): Value | undefined {
  if (a.kind === "int" && b.kind === "int") {
    chargeSize(rt, a, span);
    chargeSize(rt, b, span);
    return integers(rt, operator, a.value, b.value, span);
  }
  if (!isNumber(a) || !isNumber(b)) return undefined;
  if (a.kind === "bool" && b.kind === "bool") {
    const logical = booleans(operator, a.value, b.value);
    if (logical !== undefined) return { kind: "bool", value: logical };
  }
  if (a.kind !== "float" && b.kind !== "float") {
    return integers(rt, operator, BigInt(a.value), BigInt(b.value), span);
  }
  return floats(rt, operator, toFloat(rt, a, span), toFloat(rt, b, span), span);
}

type NumberValue = Extract<Value, { kind: "int" | "bool" | "float" }>;

function isNumber(value: Value): value is NumberValue {
  return value.kind === "int" || value.kind === "bool" || value.kind === "float";
}

function booleans(operator: string, a: boolean, b: boolean): boolean | undefined {
  if (operator === "&") return a && b;
  if (operator === "|") return a || b;
  return operator === "^" ? a !== b : undefined;
}

/** A number as a float; integers that are too large raise OverflowError. */
export function toFloat(rt: Runtime, value: NumberValue, span: Span): number {
  const number = Number(value.value);
  if (value.kind === "int" && !Number.isFinite(number)) {
    rt.fail("OverflowError", "int too large to convert to float", span);
  }
  return number;
}

const small = 1n << 62n;

function integers(
  rt: Runtime,
  operator: string,
  a: bigint,
  b: bigint,
  span: Span,
): Value | undefined {
  if (operator === "/") return divide(rt, a, b, span);
  if (operator === "**") return power(rt, a, b, span);
  const isSmall = a < small && a > -small && b < small && b > -small;
  if (!isSmall || operator === "<<") chargeIntegers(rt, operator, a, b, span);
  if ((operator === "//" || operator === "%") && b === 0n) {
    const what = operator === "%" ? "modulo" : "division or modulo";
    rt.fail("ZeroDivisionError", `integer ${what} by zero`, span);
  }
  if ((operator === "<<" || operator === ">>") && b < 0n) {
    rt.fail("ValueError", "negative shift count", span);
  }
  const value = integerResult(operator, a, b);
  return value === undefined ? undefined : { kind: "int", value };
}

function integerResult(operator: string, a: bigint, b: bigint): bigint | undefined {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "//":
      return floorDivide(a, b);
    case "%":
      return floorModulo(a, b);
    case "<<":
      return a << b;
    case ">>":
      return b > 1n << 31n ? (a < 0n ? -1n : 0n) : a >> b;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    default:
      return undefined;
  }
}

/** Charges long integers by their length, products and quotients by its square. */
function chargeIntegers(rt: Runtime, operator: string, a: bigint, b: bigint, span: Span): void {
  if (operator === "<<") {
    const bits = b > 1n << 40n ? Number.MAX_SAFE_INTEGER : bitLength(a) + Number(b);
    if (b > 0n) rt.allocateBits(bits, span);
    return;
  }
  const isProduct = operator === "*" || operator === "//" || operator === "%";
  // Exact bit lengths are computed only when the bound exceeds the limit.
  if (bitBound(a) + bitBound(b) > rt.limits.bits) {
    const [x, y] = [bitLength(a), bitLength(b)];
    rt.allocateBits(operator === "*" ? x + y : Math.max(x, y), span);
  }
  if (isProduct) chargeProduct(rt, a, b, span);
}

function divide(rt: Runtime, a: bigint, b: bigint, span: Span): Value {
  if (b === 0n) rt.fail("ZeroDivisionError", "division by zero", span);
  const value = trueDivide(a, b);
  if (value !== undefined) return { kind: "float", value };
  return rt.fail("OverflowError", "integer division result too large for a float", span);
}

function power(rt: Runtime, a: bigint, b: bigint, span: Span): Value {
  if (b < 0n) return floatPower(rt, Number(a), Number(b), span);
  const isTrivial = a === 0n || a === 1n || a === -1n;
  if (isTrivial) return { kind: "int", value: a === -1n && b % 2n === 0n ? 1n : b === 0n ? 1n : a };
  const bits = b > 1n << 40n ? Number.MAX_SAFE_INTEGER : bitLength(a) * Number(b);
  rt.allocateBits(bits, span);
  rt.tick(Math.floor((bits / 64) ** 2 / 256), span);
  return { kind: "int", value: a ** b };
}

function floatPower(rt: Runtime, a: number, b: number, span: Span): Value {
  if (a === 0 && b < 0) {
    rt.fail("ZeroDivisionError", "0.0 cannot be raised to a negative power", span);
  }
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b)) {
    rt.lacks("a complex number", span);
  }
  if (a === 1) return { kind: "float", value: 1 };
  const value = a ** b;
  if (!Number.isFinite(value) && Number.isFinite(a) && Number.isFinite(b)) {
    const text: Value = { kind: "str", value: "Numerical result out of range" };
    throw new Raised(rt.exception("OverflowError", [{ kind: "int", value: 34n }, text]), span);
  }
  const isUnit = a === -1 && !Number.isFinite(b) && !Number.isNaN(b);
  return { kind: "float", value: isUnit ? 1 : value };
}

function floats(
  rt: Runtime,
  operator: string,
  a: number,
  b: number,
  span: Span,
): Value | undefined {
  const isDivision = operator === "/" || operator === "//" || operator === "%";
  if (isDivision && b === 0) {
    const message = {
      "/": "float division by zero",
      "//": "float floor division by zero",
      "%": "float modulo",
    }[operator];
    rt.fail("ZeroDivisionError", message, span);
  }
  if (operator === "**") return floatPower(rt, a, b, span);
  const value = floatResult(operator, a, b);
  return value === undefined ? undefined : { kind: "float", value };
}

function floatResult(operator: string, a: number, b: number): number | undefined {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "//":
      return floatDivmod(a, b)[0];
    case "%":
      return floatDivmod(a, b)[1];
    default:
      return undefined;
  }
}
