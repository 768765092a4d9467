import { product } from "#core/arithmetic";
import { provisional } from "../trace/size.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";

/** Elements of a small tensor that follow from numbers in the text, in row-major order. */
export interface KnownElements {
  readonly values: readonly number[];
  /**
   * Whether the values agree with a real run to the last bit: no logarithm, power or the like was
   * computed.
   */
  readonly isExact: boolean;
}

/**
 * Rule that computes an entry's result elements from those of its operands; `undefined` for other
 * entries.
 */
export function elementRule(entry: string): Rule | undefined {
  return Object.hasOwn(rules, entry) ? rules[entry] : undefined;
}

interface Applied {
  readonly known: readonly KnownElements[];
  readonly shapes: readonly (readonly number[])[];
  /** Data types of the tensor operands. */
  readonly dtypes: readonly string[];
  readonly attributes: NonNullable<TracedOperator["attributes"]>;
  readonly tensor: TracedTensor;
  readonly count: number;
}

interface Rule {
  /** Attributes that the rule supports; with any other the result is unknown. */
  readonly takes: readonly string[];
  readonly apply: (of: Applied) => KnownElements | undefined;
}

const dtypesOfNumbers = /^(?:f32|f64|i64|i32|bool)$/u;

/** Whether elements of a data type are numbers that the rules compute with. */
export function isOfNumbers(dtype: string): boolean {
  return dtypesOfNumbers.test(dtype);
}

/**
 * Values rounded to the data type; `undefined` when an integer or bool type cannot hold them
 * exactly.
 */
export function inType(
  { values, isExact }: KnownElements,
  dtype: string,
): KnownElements | undefined {
  if (dtype === "f32") return { values: values.map(Math.fround), isExact };
  // A sum of two booleans is a boolean, never 2.
  if (dtype === "bool")
    return values.every((value) => value === 0 || value === 1) ? { values, isExact } : undefined;
  const [, sign, bits] = /^([iu])(\d+)$/u.exec(dtype) ?? [];
  if (bits === undefined) return { values, isExact };
  const least = sign === "u" ? 0 : -(2 ** (Number(bits) - 1));
  const isHeld = (value: number) =>
    Number.isSafeInteger(value) && value >= least && value < least + 2 ** Number(bits);
  return values.every(isHeld) ? { values, isExact: true } : undefined;
}

export function sizesOf({ shape = [] }: TracedTensor): readonly number[] {
  return shape.map(provisional);
}

/**
 * Whether an inexact value is so close to a multiple of `step` (offset `from`) that rounding may go
 * either way.
 */
export function mayCross({ values, isExact }: KnownElements, step: number, from = 0): boolean {
  if (isExact) return false;
  return values.some((value) => {
    const steps = (value - from) / step;
    return Math.abs(steps - Math.round(steps)) * step < 1e-5 * Math.max(1, Math.abs(value));
  });
}

function ofOne(run: (x: number) => number, isExact: boolean): Rule {
  return {
    takes: [],
    apply: ({ known: [x] }) => x && { values: x.values.map(run), isExact: isExact && x.isExact },
  };
}

/**
 * Rule of a step function with steps at `from`, `from` + 1, …; unknown for an inexact value close
 * to a step.
 */
function steps(run: (x: number) => number, from = 0): Rule {
  return {
    takes: [],
    apply: ({ known: [x] }) =>
      x && !mayCross(x, 1, from) ? { values: x.values.map(run), isExact: true } : undefined,
  };
}

/** Rounds to the nearest integer, ties to even. */
function toNearest(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Rule of a function of two tensors of equal shape, or of a tensor and a number. */
function ofTwo(run: (x: number, y: number) => number, isExact = true): Rule {
  return {
    takes: ["x", "y"],
    apply: ({ known: [x, y], shapes, dtypes: types, count, tensor }) => {
      if (x === undefined || y === undefined) return undefined;
      const sizes = JSON.stringify(sizesOf(tensor));
      const isFlat = [x, y].every(
        ({ values }, at) => values.length === 1 || JSON.stringify(shapes[at]) === sizes,
      );
      if (!isFlat) return undefined;
      const at = ({ values }: KnownElements, place: number) =>
        operand(types, tensor.dtype, values.length === 1 ? values[0] : values[place]);
      const values = Array.from({ length: count }, (_, place) => run(at(x, place), at(y, place)));
      return { values, isExact: isExact && x.isExact && y.isExact };
    },
  };
}

/** Operand converted to the data type of the computation; a number takes that of the tensors. */
function operand(types: readonly string[], dtype: string, value = 0): number {
  const isWide = types.includes("f64");
  const isWhole = !dtype.startsWith("f") && Number.isInteger(value) && !types.includes("f32");
  return isWide || isWhole ? value : Math.fround(value);
}

/** Rule of a binary function that is sensitive to the last bit: applied to exact operands only. */
function ofExact(run: (x: number, y: number) => number, isTaken: (of: Applied) => boolean): Rule {
  const rule = ofTwo(run);
  const apply = (of: Applied) =>
    isTaken(of) && of.known.every(({ isExact }) => isExact) ? rule.apply(of) : undefined;
  return { ...rule, apply };
}

function compared(holds: (x: number, y: number) => boolean): Rule {
  return ofExact(
    (x, y) => (holds(x, y) ? 1 : 0),
    () => true,
  );
}

function isInteger({ tensor }: Applied): boolean {
  return tensor.dtype.startsWith("i");
}

function reduced(run: (a: number, b: number) => number, picks = false): Rule {
  return {
    takes: ["dim", "keepdim"],
    // A result of one element reduces all dims, whichever dims the call names.
    apply: ({ known: [x], tensor, count }) => {
      if (x === undefined || x.values.length === 0 || count !== 1) return undefined;
      const total = x.values.reduce((sum, value) => run(Math.abs(sum), Math.abs(value)));
      // A run adds floats in another order; sums of small integers are exact in any order.
      const isSame = x.values.every(Number.isInteger) && total < 2 ** 24;
      const isExact = x.isExact && (picks || isSame || !tensor.dtype.startsWith("f"));
      return { values: [x.values.reduce(run)], isExact };
    },
  };
}

const same: Rule["apply"] = ({ known: [x] }) => x;

/**
 * Rows of a slice along one dim: `start` and the next ones in steps of one, as many as the result
 * has.
 */
function rowsFrom({ known: [x], shapes: [sizes], attributes, count }: Applied, start: number) {
  const dim = attributes.dim;
  if (x === undefined || sizes === undefined || typeof dim !== "number") return undefined;
  const at = dim < 0 ? dim + sizes.length : dim;
  const size = sizes[at] ?? 0;
  const first = Math.max(0, start < 0 ? start + size : start);
  const inner = product(sizes.slice(at + 1));
  const outer = product(sizes.slice(0, at));
  const length = outer * inner === 0 ? 0 : count / (outer * inner);
  const values = Array.from({ length: outer }, (_, row) => {
    const from = (row * size + first) * inner;
    return x.values.slice(from, from + length * inner);
  }).flat();
  return { values, isExact: x.isExact };
}

function joined({ known, attributes }: Applied): KnownElements | undefined {
  if ((attributes.dim ?? 0) !== 0) return undefined;
  const values = known.flatMap((each) => each.values);
  return { values, isExact: known.every(({ isExact }) => isExact) };
}

function cast(of: Applied): KnownElements | undefined {
  const [x] = of.known;
  if (x === undefined || of.tensor.dtype.startsWith("f")) return x;
  if (of.tensor.dtype === "bool")
    return x.isExact
      ? { values: x.values.map((value) => Number(value !== 0)), isExact: true }
      : undefined;
  return steps(Math.trunc).apply(of);
}

function summedUp({ known: [x], shapes: [sizes] }: Applied): KnownElements | undefined {
  if (x === undefined || sizes?.length !== 1) return undefined;
  let sum = 0;
  return {
    values: x.values.map((value) => {
      sum += value;
      return sum;
    }),
    isExact: false,
  };
}

const rules: Readonly<Record<string, Rule>> = {
  neg: ofOne((x) => -x, true),
  abs: ofOne(Math.abs, true),
  sqrt: ofOne(Math.sqrt, true),
  log: ofOne(Math.log, false),
  log2: ofOne(Math.log2, false),
  log10: ofOne(Math.log10, false),
  exp: ofOne(Math.exp, false),
  floor: steps(Math.floor),
  ceil: steps(Math.ceil),
  trunc: steps(Math.trunc),
  round: steps(toNearest, 0.5),
  add: ofTwo((x, y) => x + y),
  sub: ofTwo((x, y) => x - y),
  mul: ofTwo((x, y) => x * y),
  div: ofTwo((x, y) => x / y),
  pow: ofTwo((x, y) => x ** y, false),
  remainder: ofExact((x, y) => x - Math.floor(x / y) * y, isInteger),
  maximum: ofTwo(Math.max),
  minimum: ofTwo(Math.min),
  less: compared((x, y) => x < y),
  less_equal: compared((x, y) => x <= y),
  greater: compared((x, y) => x > y),
  greater_equal: compared((x, y) => x >= y),
  equal: compared((x, y) => x === y),
  ne: compared((x, y) => x !== y),
  sum: reduced((a, b) => a + b),
  prod: reduced((a, b) => a * b),
  amax: reduced((a, b) => Math.max(a, b), true),
  amin: reduced((a, b) => Math.min(a, b), true),
  cumsum: { takes: ["dim"], apply: summedUp },
  cast: { takes: ["dtype"], apply: cast },
  select: { takes: ["dim", "index"], apply: (of) => rowsFrom(of, Number(of.attributes.index)) },
  slice: {
    takes: ["dim", "start", "stop"],
    apply: (of) => rowsFrom(of, Number(of.attributes.start)),
  },
  reshape: { takes: ["shape"], apply: same },
  unsqueeze: { takes: ["dim"], apply: same },
  squeeze: { takes: ["dim"], apply: same },
  concat: { takes: ["dim"], apply: joined },
  stack: { takes: ["dim"], apply: joined },
};
