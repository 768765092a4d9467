import type { Definition, ScalarFunction } from "#core/ir/body";
import { scalarRules, standInNumber } from "#core/ir/body";
import { type Arithmetic, isIntegral, largestWord, leastWord } from "#execute/reference";
import type { WasmNumbers } from "./wasm-kernel.ts";

type Combine = Definition["combine"];
/** Joins a further value of an element to the present one. */
export type Merge = (held: number, value: number) => number;

type Apply = (a: number, b: number, c: number) => number;

/** The arithmetic of this engine on the numbers of a run. */
export interface NumberRules {
  /** Whether functions with fractional results have integral stand-ins. */
  readonly isExact: boolean;
  /** Whether numbers are words of 32 bits, which wrap around. */
  readonly isWords: boolean;
  /** The numbers of large contractions in Wasm. */
  readonly wasm: WasmNumbers;
  readonly constant: (value: number) => number;
  readonly functionOf: (name: ScalarFunction) => Apply;
  /** The value of a combination without terms. */
  readonly starts: Readonly<Record<Combine, number>>;
  /** The rule that joins one more term to a combination. */
  readonly joins: Readonly<Record<Combine, Merge>>;
}

const floats: NumberRules = {
  isExact: false,
  isWords: false,
  wasm: "f64",
  constant: (value) => value,
  functionOf: (name) => scalarRules[name].evaluate,
  starts: { sum: 0, prod: 1, max: Number.NEGATIVE_INFINITY, min: Number.POSITIVE_INFINITY },
  joins: {
    sum: (held, added) => held + added,
    prod: (held, added) => held * added,
    max: Math.max,
    min: Math.min,
  },
};

const integers: NumberRules = {
  ...floats,
  isExact: true,
  constant: standInNumber,
  functionOf: (name) => scalarRules[name].standIn ?? scalarRules[name].evaluate,
};

const words: NumberRules = {
  isExact: true,
  isWords: true,
  wasm: "i32",
  constant: (value) =>
    Math.abs(value) === Number.POSITIVE_INFINITY
      ? value < 0
        ? leastWord
        : largestWord
      : standInNumber(value) | 0,
  functionOf: wordFunction,
  starts: { sum: 0, prod: 1, max: leastWord, min: largestWord },
  joins: {
    sum: (held, added) => wrapped(held + added),
    prod: product,
    max: Math.max,
    min: Math.min,
  },
};

/** The low 32 bits of an integer that a double holds exactly; NaN stays NaN. */
function wrapped(value: number): number {
  return Number.isNaN(value) ? value : value | 0;
}

/** Product of two words, of which a double does not hold all bits. */
function product(a: number, b: number): number {
  return Number.isNaN(a * b) ? Number.NaN : Math.imul(a, b);
}

/** A function of words; NaN for words that a device does not have. */
function wordFunction(name: ScalarFunction): Apply {
  const { evaluate, standIn = evaluate } = scalarRules[name];
  if (name === "mul") return product;
  if (name === "select") return evaluate;
  return (a, b, c) => (Number.isNaN(a + b + c) ? Number.NaN : standIn(a, b, c) | 0);
}

/** The rules of an arithmetic. Singles are computed in doubles, except in large contractions. */
export function rulesOf(arithmetic: Arithmetic): NumberRules {
  if (arithmetic === "words") return words;
  if (arithmetic === "singles") return { ...floats, wasm: "f32" };
  return isIntegral(arithmetic) ? integers : floats;
}

/**
 * Wraps 32-bit sums of devices around, in place: a double holds all bits of such a sum. Values that
 * no device has sent stay NaN.
 */
export function wrapAround(values: Float64Array): void {
  for (let at = 0; at < values.length; at += 1) values[at] = wrapped(values[at] as number);
}
