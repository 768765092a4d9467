import {
  type Arithmetic,
  isIntegral,
  type Rounding,
  roundingOf,
  wordOf,
  wordProduct,
} from "./arithmetic.ts";
import type { Axis } from "./multiply-whole.ts";
import type { WholeTensor } from "./whole-tensor.ts";

/** A sum of products of two operands along whole axes. */
export interface Contraction {
  readonly a: WholeTensor;
  readonly b: WholeTensor;
  readonly outer: readonly Axis[];
  readonly inner: readonly Axis[];
}

/** Computes one cell of a contraction by a plain loop over its terms. */
export function plainCell(work: Contraction, arithmetic: Arithmetic): CellAt {
  if (arithmetic === "words") return wordCell(work);
  return isIntegral(arithmetic) ? integerCell(work) : floatCell(work, roundingOf(arithmetic));
}

/** A computed sum of products, with its error bound and the sum of its absolute terms. */
export interface Cell {
  value: number;
  error: number;
  magnitude: number;
}

/** Computes the cell whose terms begin at these flat indices of the two operands. */
export type CellAt = (a: number, b: number) => Cell;

/** Calls back with the flat indices of runs of terms: their starts, count and steps. */
function alongRows(
  inner: readonly Axis[],
  row: (a: number, b: number, size: number, stepA: number, stepB: number) => void,
): (a: number, b: number) => void {
  const last = inner.at(-1) ?? { size: 1, a: 0, b: 0, out: 0 };
  const rest = inner.slice(0, -1);
  const visit = (depth: number, a: number, b: number): void => {
    const axis = rest[depth];
    if (axis === undefined) row(a, b, last.size, last.a, last.b);
    else
      for (let at = 0; at < axis.size; at += 1) visit(depth + 1, a + at * axis.a, b + at * axis.b);
  };
  return (a, b) => visit(0, a, b);
}

function integerCell({ a: { values: x }, b: { values: y }, inner }: Contraction): CellAt {
  const cell: Cell = { value: 0, error: 0, magnitude: 0 };
  const rows = alongRows(inner, (a, b, size, stepA, stepB) => {
    for (let at = 0; at < size; at += 1) {
      const product = (x[a + at * stepA] ?? Number.NaN) * (y[b + at * stepB] ?? Number.NaN);
      cell.value += product;
      cell.magnitude += Math.abs(product);
    }
  });
  return (a, b) => {
    [cell.value, cell.magnitude] = [0, 0];
    rows(a, b);
    return cell;
  };
}

function wordCell({ a: { values: x }, b: { values: y }, inner }: Contraction): CellAt {
  const cell: Cell = { value: 0, error: 0, magnitude: 0 };
  const rows = alongRows(inner, (a, b, size, stepA, stepB) => {
    for (let at = 0; at < size; at += 1) {
      const product = wordProduct(x[a + at * stepA] ?? Number.NaN, y[b + at * stepB] ?? Number.NaN);
      cell.value = wordOf(cell.value + product);
      cell.magnitude += Math.abs(product);
    }
  });
  return (a, b) => {
    [cell.value, cell.magnitude] = [0, 0];
    rows(a, b);
    return cell;
  };
}

/**
 * Cell of floats. The error of a product consists of its factors' errors and its own rounding, the
 * error of a sum of its terms' errors.
 */
function floatCell(
  { a: { values: x, errors: dx }, b: { values: y, errors: dy }, inner }: Contraction,
  { unit, largestExact, of }: Rounding,
): CellAt {
  const cell: Cell = { value: 0, error: 0, magnitude: 0 };
  let [count, isWhole] = [0, true];
  const rows = alongRows(inner, (a, b, size, stepA, stepB) => {
    for (let at = 0; at < size; at += 1) {
      const [p, q] = [a + at * stepA, b + at * stepB];
      const [u, v] = [x[p] ?? Number.NaN, y[q] ?? Number.NaN];
      const [du, dv] = [dx[p] ?? 0, dy[q] ?? 0];
      const product = u * v;
      const isExact =
        Number.isInteger(u) && Number.isInteger(v) && Math.abs(product) <= largestExact;
      const inherited = du === 0 && dv === 0 ? 0 : Math.abs(u) * dv + Math.abs(v) * du + du * dv;
      if (inherited > 0 || !isExact) cell.error += inherited + of("mul", [u, v], product);
      if (!Number.isInteger(product)) isWhole = false;
      cell.value += product;
      cell.magnitude += Math.abs(product);
    }
    count += size;
  });
  return (a, b) => {
    [cell.value, cell.error, cell.magnitude, count, isWhole] = [0, 0, 0, 0, true];
    rows(a, b);
    const isExact = cell.error === 0 && isWhole && cell.magnitude <= largestExact;
    if (!isExact && Number.isFinite(cell.magnitude)) cell.error += count * unit * cell.magnitude;
    // NaN arises if one factor is 0 and the other has an unknown error.
    if (Number.isNaN(cell.error)) cell.error = Number.POSITIVE_INFINITY;
    if (Number.isNaN(cell.value)) cell.error = 0;
    return cell;
  };
}
