/** Python's `//` on integers: rounds towards minus infinity. The divisor must not be 0. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** Python's `%` on integers: has the sign of the divisor, which must not be 0. */
export function floorModulo(a: bigint, b: bigint): bigint {
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

/** Python's `divmod` on floats, after CPython's `float_divmod`. The divisor must not be 0. */
export function floatDivmod(a: number, b: number): readonly [number, number] {
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0) {
    if (b < 0 !== rest < 0) {
      rest += b;
      quotient -= 1;
    }
  } else {
    rest = b < 0 ? -0 : 0;
  }
  if (quotient === 0) return [a / b < 0 || Object.is(a / b, -0) ? -0 : 0, rest];
  const floor = Math.floor(quotient);
  return [quotient - floor > 0.5 ? floor + 1 : floor, rest];
}

/** Number of bits of |value|; 0 for 0. */
export function bitLength(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  if (magnitude <= 0xffffffffffffn) {
    return magnitude === 0n ? 0 : Math.floor(Math.log2(Number(magnitude))) + 1;
  }
  let low = 52;
  let step = 1024;
  while (magnitude >> BigInt(low + step) > 0n) step *= 2;
  for (; step >= 1; step /= 2) {
    if (magnitude >> BigInt(low + step) > 0n) low += step;
  }
  return low + 1;
}

/** `a / b` of integers, rounded once to the nearest float; `undefined` when it overflows. */
export function trueDivide(a: bigint, b: bigint): number | undefined {
  const x = Number(a);
  const y = Number(b);
  if (Number.isSafeInteger(x) && Number.isSafeInteger(y)) return x / y;
  const isNegative = a < 0n !== b < 0n;
  const [p, q] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const shift = bitLength(q) - bitLength(p) + 66;
  const scaled = shift >= 0 ? p << BigInt(shift) : p >> BigInt(-shift);
  const lost = shift < 0 && scaled << BigInt(-shift) !== p;
  const quotient = scaled / q;
  const sticky = lost || quotient * q !== scaled ? quotient | 1n : quotient;
  const result = scaleBy(Number(sticky), -shift);
  if (!Number.isFinite(result)) return undefined;
  return isNegative ? -result : result;
}

function scaleBy(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

/** A finite float as an exact fraction whose denominator is a power of two. */
export function toFraction(value: number): readonly [bigint, bigint] {
  if (Number.isInteger(value)) return [BigInt(value), 1n];
  let scaled = value;
  let exponent = 0;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent += 1;
  }
  return [BigInt(scaled), 1n << BigInt(exponent)];
}

/** numerator / denominator to the nearest integer, ties to even. The denominator is positive. */
export function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  const floor = floorDivide(numerator, denominator);
  const twice = 2n * (numerator - floor * denominator);
  if (twice < denominator) return floor;
  if (twice > denominator) return floor + 1n;
  return floor % 2n === 0n ? floor : floor + 1n;
}

/** Python's `repr` of a float: the shortest text that reads back the same. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  return (
    sign +
    (exponent < -4 || exponent >= 16 ? scientific(digits, exponent) : positional(digits, exponent))
  );
}

function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${whole}.${digits.slice(exponent + 1) || "0"}`;
}

function scientific(digits: string, exponent: number): string {
  const rest = digits.slice(1);
  return `${digits.charAt(0)}${rest === "" ? "" : `.${rest}`}${exponentText(exponent)}`;
}

/** `e+05`: a sign and at least two digits. */
export function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
