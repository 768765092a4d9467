import { type Arithmetic, isIntegral, largestExact, roundingOf } from "./arithmetic.ts";
import type { CellAt, Contraction } from "./contracted-cell.ts";
import { type Axis, type Element, multiplyWhole, offsets, type Pair } from "./multiply-whole.ts";
import type { WholeTensor } from "./whole-tensor.ts";

/** The number of products from which packing both operands pays. */
const worthPacking = 2 ** 15;

/** Up to this value the sum of absolute terms need not be exact: a single holds the numbers. */
const smallPeak = 2 ** 24;

/** Size below which a device may treat a product as 0. */
const smallest = { singles: 2 ** -126, doubles: 0 };

/**
 * The results of `plainCell`'s plain loops, tile by tile. Cells that are not finite are computed by
 * the plain loops, and so are some cells of every product, which must then be equal.
 *
 * @returns the largest sum of absolute terms, or a bound for it up to 2^24; `undefined` where the
 * plain loops are better
 */
export function largeContraction(
  work: Contraction,
  cell: CellAt,
  target: WholeTensor,
  arithmetic: Arithmetic,
): number | undefined {
  const { outer, inner } = work;
  const batch = outer.filter(({ a, b }) => a !== 0 && b !== 0);
  const rows = outer.filter(({ b }) => b === 0);
  const columns = outer.filter(({ a, b }) => a === 0 && b !== 0);
  const [m, n, k] = [rows, columns, inner].map(countOf);
  if (m === undefined || n === undefined || k === undefined) return undefined;
  if (m * n * k < worthPacking || m * n < 16) return undefined;
  const starts = (["a", "b", "out"] as const).map((of) => offsets(batch, of, 0));
  let peak = 0;
  for (const at of starts[0]?.keys() ?? []) {
    const [a = 0, b = 0, out = 0] = starts.map((each) => each[at] ?? 0);
    const found = oneProduct(
      { work, cell, rows, columns, inner, target },
      { a, b, out },
      arithmetic,
    );
    if (found === undefined) return undefined;
    peak = Math.max(peak, found);
  }
  return peak;
}

interface Product {
  readonly work: Contraction;
  readonly cell: CellAt;
  readonly rows: readonly Axis[];
  readonly columns: readonly Axis[];
  readonly inner: readonly Axis[];
  readonly target: WholeTensor;
}

type From = Pick<Axis, "a" | "b" | "out">;

function oneProduct(product: Product, from: From, arithmetic: Arithmetic): number | undefined {
  if (!isIntegral(arithmetic)) return floats(product, from, arithmetic);
  const isWords = arithmetic === "words";
  // Words wrap around, so the size of their terms does not matter.
  const peak = isWords ? 0 : peakOf(product, from);
  if (!(peak <= largestExact)) return undefined;
  const { work, cell, target } = product;
  // Packed words cannot hold NaN.
  if (isWords && [work.a, work.b].some(({ values }) => values.some(Number.isNaN))) return undefined;
  const pair = { a: numbersOf(work.a), b: numbersOf(work.b) };
  const isSample = sampler(product);
  const keep = (value: number, out: number, a: number, b: number) => {
    if (isSample()) expectSame(value, 0, cell(a, b).value);
    target.values[out] = value;
  };
  multiplyWhole(product, from, [pair], keep, isWords ? "words" : "doubles");
  return peak;
}

/** Values first, then their error bounds by running error analysis. */
function floats(product: Product, from: From, arithmetic: Arithmetic): number {
  const { work, cell, target, inner } = product;
  const { values, errors } = target;
  const isSample = sampler(product);
  const value = { a: numbersOf(work.a), b: numbersOf(work.b) };
  multiplyWhole(product, from, [value], (sum, out) => {
    values[out] = sum;
  });
  const terms = countOf(inner);
  const own = terms * (arithmetic === "singles" ? smallest.singles : smallest.doubles);
  multiplyWhole(product, from, errorPairs(work, terms, arithmetic), (sum, out, a, b) => {
    const error = sum + own;
    const isKnown = Number.isFinite(error) && Number.isFinite(values[out]);
    const plain = isKnown && !isSample() ? undefined : cell(a, b);
    if (isKnown && plain !== undefined) expectSame(values[out] ?? 0, error, plain.value);
    errors[out] = isKnown || plain === undefined ? error : plain.error;
    if (!isKnown && plain !== undefined) values[out] = plain.value;
  });
  return 0;
}

/**
 * The pairs of factors whose products add up to the error bound. A term u·v is off by |u|·dv +
 * |v|·du + du·dv and by its own rounding, and a sum of n terms by n·unit of its absolute terms
 * (Higham, "Accuracy and Stability", §3.1, §4.2): together |u|·(dv + (n + 1)·unit·|v|) + du·(|v| +
 * dv).
 */
function errorPairs({ a, b }: Contraction, terms: number, arithmetic: Arithmetic): readonly Pair[] {
  const growth = (terms + 1) * roundingOf(arithmetic).unit;
  const [x, y, dx, dy] = [a.values, b.values, a.errors, b.errors];
  const [isExactA, isExactB] = [isExact(a), isExact(b)];
  const sizeA: Element = (at) => Math.abs(x[at] as number);
  const grown: Element = isExactB
    ? (at) => growth * Math.abs(y[at] as number)
    : (at) => (dy[at] as number) + growth * Math.abs(y[at] as number);
  const first = { a: sizeA, b: grown };
  if (isExactA) return [first];
  const errorA: Element = (at) => dx[at] as number;
  const largest: Element = isExactB
    ? (at) => Math.abs(y[at] as number)
    : (at) => Math.abs(y[at] as number) + (dy[at] as number);
  return [first, { a: errorA, b: largest }];
}

function isExact({ errors }: WholeTensor): boolean {
  return errors.every((each) => each === 0);
}

function numbersOf({ values }: WholeTensor): Element {
  return (at) => values[at] as number;
}

/** The largest sum of absolute terms; a mere bound for it if that is small. */
function peakOf({ work, rows, columns, inner, cell }: Product, from: From): number {
  const [x, y] = [work.a.values, work.b.values];
  const bound = termBound({ rows, columns, inner }, from, x, y);
  if (bound <= smallPeak) return bound;
  let peak = 0;
  const pair = {
    a: (at: number) => Math.abs(x[at] as number),
    b: (at: number) => Math.abs(y[at] as number),
  };
  multiplyWhole({ rows, columns, inner }, from, [pair], (sum, _, a, b) => {
    const magnitude = Number.isFinite(sum) ? sum : cell(a, b).magnitude;
    if (magnitude > peak || Number.isNaN(magnitude)) peak = magnitude;
  });
  return peak;
}

/** Σ over terms of the largest |a| in any row times the largest |b| in any column. */
function termBound(
  { rows, columns, inner }: Pick<Product, "rows" | "columns" | "inner">,
  from: From,
  x: Float64Array,
  y: Float64Array,
): number {
  const largestOf = (values: Float64Array, lines: Float64Array, terms: Float64Array) => {
    const largest = new Float64Array(terms.length);
    for (const line of lines) {
      for (const [term, at] of terms.entries()) {
        const size = Math.abs(values[line + at] as number);
        if (!(size <= (largest[term] as number))) largest[term] = size;
      }
    }
    return largest;
  };
  const a = largestOf(x, offsets(rows, "a", from.a), offsets(inner, "a", 0));
  const b = largestOf(y, offsets(columns, "b", from.b), offsets(inner, "b", 0));
  return a.reduce((sum, each, term) => sum + each * (b[term] ?? 0), 0);
}

/** Cells of a product that plain loops compute too. */
const samples = 8;

/** Picks cells at equal distances as samples. */
function sampler({ rows, columns }: Product): () => boolean {
  const every = Math.max(1, Math.floor((countOf(rows) * countOf(columns)) / samples)) | 1;
  let count = 0;
  return () => {
    count += 1;
    return count % every === 0;
  };
}

function expectSame(value: number, bound: number, plain: number): void {
  if (value === plain || Math.abs(value - plain) <= 2 * bound) return;
  throw new Error(`tiles have ${value} where the plain loops of the reference have ${plain}`);
}

function countOf(axes: readonly Axis[]): number {
  return axes.reduce((product, { size }) => product * size, 1);
}
