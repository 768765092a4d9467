import { erf } from "./erf.ts";

/** The functions that bodies are made of. */
export type ScalarFunction =
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "neg"
  | "abs"
  | "sign"
  | "max"
  | "min"
  | "exp"
  | "log"
  | "sqrt"
  | "rsqrt"
  | "tanh"
  | "sigmoid"
  | "erf"
  | "sin"
  | "cos"
  | "pow"
  | "floor"
  | "quotient"
  | "less"
  | "less-equal"
  | "select"
  | "bit-and"
  | "bit-or"
  | "bit-xor"
  | "random";

/**
 * Function of up to three numbers.
 *
 * `standIn` replaces it where integers must stay integers (execution.md §4, "exact"). It depends on
 * every argument, keeps sizes small, and is linear wherever the function is. `growth` tells how
 * errors of arguments propagate: by the corners of their box (monotone in each argument), by at
 * most their sum, by the branch that was not taken, or to any bits. `rounding` counts the units of
 * roundoff that the function itself adds.
 */
export interface ScalarRule {
  readonly evaluate: (a: number, b: number, c: number) => number;
  readonly standIn?: (a: number, b: number, c: number) => number;
  readonly growth: "corners" | "sum" | "branch" | "bits";
  readonly rounding: number;
}

const exact = { growth: "corners", rounding: 0 } as const;
const bits = { growth: "bits", rounding: 0 } as const;
const rounded = { growth: "corners", rounding: 1 } as const;
/** Library functions of a JavaScript engine are good to a few units. */
const transcendental = { growth: "corners", rounding: 8 } as const;

/** The rule of each function. */
export const scalarRules: Readonly<Record<ScalarFunction, ScalarRule>> = {
  add: { ...rounded, evaluate: (a, b) => a + b },
  sub: { ...rounded, evaluate: (a, b) => a - b },
  mul: { ...rounded, evaluate: (a, b) => a * b },
  div: { ...rounded, evaluate: (a, b) => a / b, standIn: (a, b) => a * (1 - 2 * residue(b, 2)) },
  neg: { ...exact, evaluate: (a) => -a },
  abs: { growth: "sum", rounding: 0, evaluate: (a) => Math.abs(a) },
  sign: { ...exact, evaluate: (a) => Math.sign(a) },
  max: { ...exact, evaluate: (a, b) => Math.max(a, b) },
  min: { ...exact, evaluate: (a, b) => Math.min(a, b) },
  exp: { ...transcendental, evaluate: (a) => Math.exp(a), standIn: growing },
  log: { ...transcendental, evaluate: (a) => Math.log(a), standIn: (a) => residue(a, 5) },
  sqrt: { ...rounded, evaluate: (a) => Math.sqrt(a), standIn: (a) => residue(a, 3) + 1 },
  rsqrt: {
    ...transcendental,
    evaluate: (a) => 1 / Math.sqrt(a),
    standIn: (a) => residue(a, 3) + 1,
  },
  tanh: { ...transcendental, evaluate: (a) => Math.tanh(a), standIn: (a) => residue(a, 7) - 3 },
  sigmoid: {
    ...transcendental,
    evaluate: (a) => 1 / (1 + Math.exp(-a)),
    standIn: (a) => residue(a, 5) - 2,
  },
  erf: { ...transcendental, rounding: 64, evaluate: erf, standIn: (a) => residue(a, 7) - 3 },
  sin: {
    ...transcendental,
    growth: "sum",
    evaluate: (a) => Math.sin(a),
    standIn: (a) => residue(a, 3) - 1,
  },
  cos: {
    ...transcendental,
    growth: "sum",
    evaluate: (a) => Math.cos(a),
    standIn: (a) => residue(a, 3) - 1,
  },
  pow: { ...transcendental, evaluate: (a, b) => a ** b, standIn: (a) => a },
  floor: { ...exact, evaluate: (a) => Math.floor(a) },
  quotient: { ...exact, evaluate: (a, b) => Math.floor(a / b) },
  less: { ...exact, evaluate: (a, b) => (a < b ? 1 : 0) },
  "less-equal": { ...exact, evaluate: (a, b) => (a <= b ? 1 : 0) },
  select: { growth: "branch", rounding: 0, evaluate: (a, b, c) => (a !== 0 ? b : c) },
  "bit-and": { ...bits, evaluate: bitwise((a, b) => a & b) },
  "bit-or": { ...bits, evaluate: bitwise((a, b) => a | b) },
  "bit-xor": { ...bits, evaluate: bitwise((a, b) => a ^ b) },
  random: { ...exact, evaluate: uniform, standIn: (a, b) => Math.floor(2 * uniform(a, b)) },
};

/**
 * Bitwise function of two integers in two's complement, within the range that a double holds
 * exactly.
 */
function bitwise(of: (a: number, b: number) => number): ScalarRule["evaluate"] {
  const half = 2 ** 32;
  return (a, b) => {
    if (Number.isNaN(a + b)) return Number.NaN;
    const [x, y] = [Math.trunc(a), Math.trunc(b)];
    return half * of(Math.floor(x / half), Math.floor(y / half)) + (of(x, y) >>> 0);
  };
}

/** Integer that replaces a fractional constant in integer runs: rounded, but never to 0. */
export function standInNumber(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  return Math.round(value) || Math.sign(value);
}

function residue(value: number, modulus: number): number {
  if (!Number.isFinite(value)) return 0;
  return ((value % modulus) + modulus) % modulus;
}

/**
 * An integer that grows with the argument, and is 0 for values far below and for masked ones: only
 * the largest scores of a softmax count, so that its sums stay as small as its values.
 */
function growing(value: number): number {
  return Math.max(value, -3) + 3;
}

/**
 * A number in [0, 1) that depends on a seed and a counter alone: the first 24 bits, which a single
 * holds exactly, of a bijective 32-bit mix of both (the finaliser of MurmurHash3, A. Appleby).
 */
function uniform(seed: number, counter: number): number {
  const mixed = mix(Math.imul(mix(seed | 0) ^ (counter | 0), 0x9e3779b1));
  return (mixed >>> 8) / 2 ** 24;
}

function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
