import type { ScalarFunction } from "#core/ir/body";
import { scalarRules, standInNumber } from "#core/ir/body";
import { singleRounding } from "./single.ts";

/**
 * The reader's choice of numbers for a run: integers compare bit for bit, floats within a bound.
 */
export type ValueKind = "integers" | "floats";

/**
 * The numbers of a run: integers in doubles, exact up to 2^53; words, integers of 32 bits that wrap
 * around; floats in doubles; `singles`, floats in single precision.
 */
export type Arithmetic = ValueKind | "words" | "singles";

/** The range and the rounding of numbers. */
export interface Rounding {
  /** Unit roundoff. */
  readonly unit: number;
  /** The largest integer up to which all are exact. */
  readonly largestExact: number;
  /** The rounding error of a function itself, from its arguments and its result. */
  readonly of: (name: ScalarFunction, args: readonly number[], result: number) => number;
}

const doubles: Rounding = {
  unit: 2 ** -53,
  largestExact: Number.MAX_SAFE_INTEGER,
  of: (name, _, result) =>
    Number.isFinite(result) ? scalarRules[name].rounding * 2 ** -53 * Math.abs(result) : 0,
};

const singles: Rounding = {
  unit: 2 ** -24,
  largestExact: 2 ** 24,
  of: (name, args, result) => (Number.isFinite(result) ? singleRounding(name, args, result) : 0),
};

export function roundingOf(arithmetic: Arithmetic): Rounding {
  return arithmetic === "singles" ? singles : doubles;
}

/**
 * Whether numbers are integers, so that functions with fractional results have integral stand-ins.
 */
export function isIntegral(arithmetic: Arithmetic): boolean {
  return arithmetic === "integers" || arithmetic === "words";
}

/** The least and the largest word of 32 bits, which stand for −∞ and ∞. */
export const [leastWord, largestWord] = [-(2 ** 31), 2 ** 31 - 1] as const;

/**
 * Integers up to this value are exact in doubles; a sum of such terms is the same in every order.
 */
export const largestExact = 2 ** 53;

/** A constant in the numbers of a run. */
export function constantOf(value: number, arithmetic: Arithmetic): number {
  if (!isIntegral(arithmetic)) return value;
  const whole = standInNumber(value);
  if (arithmetic === "integers") return whole;
  if (whole === Number.NEGATIVE_INFINITY) return leastWord;
  return whole === Number.POSITIVE_INFINITY ? largestWord : whole | 0;
}

/** The error of a constant that the run's number type cannot hold exactly. */
export function constantError(value: number, arithmetic: Arithmetic): number {
  if (arithmetic !== "singles" || !Number.isFinite(value)) return 0;
  return Math.abs(value - Math.fround(value));
}

/** Value of a function on integers: its stand-in, wrapped around if numbers are words. */
export function wholeFunction(
  name: ScalarFunction,
  arithmetic: Arithmetic,
): (a: number, b: number, c: number) => number {
  const { evaluate, standIn = evaluate } = scalarRules[name];
  if (arithmetic === "integers") return standIn;
  if (name === "mul") return wordProduct;
  if (name === "select") return evaluate;
  return (a, b, c) => (Number.isNaN(a + b + c) ? Number.NaN : standIn(a, b, c) | 0);
}

/** A number as a word: its low 32 bits; NaN stays NaN. */
export function wordOf(value: number): number {
  return Number.isNaN(value) ? value : value | 0;
}

/** The low 32 bits of a product of words, whose full product a double does not hold. */
export function wordProduct(a: number, b: number): number {
  return Number.isNaN(a * b) ? Number.NaN : Math.imul(a, b);
}

/** The starting values of a minimum and a maximum: the largest and the least number. */
export function extremesOf(arithmetic: Arithmetic): readonly [least: number, largest: number] {
  return arithmetic === "words"
    ? [leastWord, largestWord]
    : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
}
