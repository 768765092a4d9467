import { exponentText, floatText, roundHalfEven, toFraction } from "../values/numbers.ts";

/** Digits after the decimal point beyond which every float has only zeros. */
const longest = 1100;

/** |value| with exactly `places` digits after the point, rounded half to even: `'%.2f'`. */
export function fixedText(value: number, places: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : "inf";
  if (places > longest) return fixedText(value, longest) + "0".repeat(places - longest);
  const [numerator, denominator] = toFraction(Math.abs(value));
  const scaled = roundHalfEven(numerator * 10n ** BigInt(places), denominator);
  const digits = scaled.toString().padStart(places + 1, "0");
  if (places === 0) return digits;
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** |value| as `d.ddde+xx` with `places` digits after the point: `'%.2e'`. */
export function exponentialText(value: number, places: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : "inf";
  const { digits, exponent } = significant(Math.abs(value), places + 1);
  const rest = digits.slice(1);
  return `${digits.charAt(0)}${rest === "" ? "" : `.${rest}`}${exponentText(exponent)}`;
}

/**
 * |value| in the shorter of fixed and exponential form, with `precision` significant digits:
 * `'%g'`.
 */
export function generalText(value: number, precision: number, keepZeros: boolean): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : "inf";
  const wanted = Math.max(1, precision);
  const { digits, exponent } = significant(Math.abs(value), wanted);
  const kept = keepZeros ? digits : digits.replace(/0+$/, "") || "0";
  if (exponent < -4 || exponent >= wanted) {
    const rest = kept.slice(1);
    return `${kept.charAt(0)}${rest === "" ? "" : `.${rest}`}${exponentText(exponent)}`;
  }
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${kept}`;
  const whole = kept.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = kept.slice(exponent + 1);
  return rest === "" ? whole : `${whole}.${rest}`;
}

/**
 * Text without a type: `repr`, or with a precision the general form, which always shows a point.
 */
export function plainFloatText(value: number, precision: number | undefined): string {
  if (precision === undefined || !Number.isFinite(value)) return floatText(Math.abs(value));
  const wanted = Math.max(1, precision);
  const { digits, exponent } = significant(Math.abs(value), wanted);
  if (value !== 0 && exponent >= wanted - 1) {
    const rest = digits.slice(1).replace(/0+$/, "");
    return `${digits.charAt(0)}${rest === "" ? "" : `.${rest}`}${exponentText(exponent)}`;
  }
  const text = generalText(value, precision, false);
  return /^\d+$/.test(text) ? `${text}.0` : text;
}

/** The first `count` decimal digits of a positive number, rounded half to even. */
function significant(value: number, count: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: "0".repeat(count), exponent: 0 };
  if (count > longest) {
    const { digits, exponent } = significant(value, longest);
    return { digits: digits + "0".repeat(count - longest), exponent };
  }
  const [numerator, denominator] = toFraction(value);
  let exponent = Number(value.toExponential().split("e")[1] ?? 0);
  const shift = count - 1 - exponent;
  const rounded =
    shift >= 0
      ? roundHalfEven(numerator * 10n ** BigInt(shift), denominator)
      : roundHalfEven(numerator, denominator * 10n ** BigInt(-shift));
  let digits = rounded.toString();
  if (digits.length > count) {
    digits = digits.slice(0, count);
    exponent += 1;
  }
  return { digits, exponent };
}

/** Inserts a separator between digit groups of the integer part. */
export function grouped(text: string, separator: string, size: number): string {
  const [whole = "", ...rest] = text.split(/(?=[.eE%])/);
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= size) {
    groups.unshift(whole.slice(Math.max(0, end - size), end));
  }
  return groups.join(separator) + rest.join("");
}
