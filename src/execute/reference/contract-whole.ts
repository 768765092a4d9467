import type { BoundCall, Definition, Expr } from "#core/ir";
import { type Arithmetic, isIntegral, type Rounding, roundingOf } from "./arithmetic.ts";
import type { Whole } from "./whole.ts";

/** One index axis as both operands and the result see it: by how much their flat indices grow. */
interface Axis {
  readonly size: number;
  readonly a: number;
  readonly b: number;
  readonly out: number;
}

interface Contraction {
  readonly a: Whole;
  readonly b: Whole;
  readonly outer: readonly Axis[];
  readonly inner: readonly Axis[];
}

/**
 * Fills a result that is a sum of products of two operands along whole axes, by plain nested loops
 * over flat indices: the same numbers and bounds as point by point, in a fraction of the time.
 *
 * @param steps by how much the flat index of the result grows with each of its axes
 * @returns the largest sum of absolute terms; nothing where it is not such a sum
 */
export function contractWhole(
  { over, combine, value }: Definition,
  call: BoundCall,
  operands: readonly (Whole | undefined)[],
  steps: ReadonlyMap<string, number>,
  target: Whole,
  arithmetic: Arithmetic,
): number | undefined {
  const factors = combine === "sum" && over.length > 0 ? factorsOf(value) : undefined;
  const [a, b] = factors?.map((operand) => operands[operand]) ?? [];
  if (factors === undefined || a === undefined || b === undefined) return undefined;
  const [first, second] = factors.map((operand) => stridesOf(call, operand, operands[operand]));
  if (first === undefined || second === undefined) return undefined;
  if (over.some(({ size }) => size !== undefined)) return undefined;
  const summed = new Set(over.map(({ axis }) => axis));
  const [outer, inner]: [Axis[], Axis[]] = [[], []];
  for (const { name, size } of call.axes) {
    const axis = {
      size,
      a: first.get(name) ?? 0,
      b: second.get(name) ?? 0,
      out: steps.get(name) ?? 0,
    };
    if (summed.has(name)) inner.push(axis);
    else if (steps.has(name)) outer.push(axis);
    else if (size > 1 && (axis.a !== 0 || axis.b !== 0)) return undefined;
  }
  return computed({ a, b, outer, inner }, target, arithmetic);
}

/** By how much the flat index of a result grows with each axis; nothing where dims are numbers. */
export function stepsInto(
  { dims, shape }: BoundCall["outputs"][number],
  sizes: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> | undefined {
  const steps = new Map<string, number>();
  let stride = 1;
  for (let dim = shape.length - 1; dim >= 0; dim -= 1) {
    let within = stride;
    for (const name of [...(dims[dim]?.identifiers ?? [])].reverse()) {
      const size = sizes.get(name);
      if (size === undefined || steps.has(name)) {
        if (Number(name) === 1) continue;
        return undefined;
      }
      steps.set(name, within);
      within *= size;
    }
    stride *= shape[dim] ?? 1;
    if (within !== stride) return undefined;
  }
  return steps;
}

/** The two operands of a product that is read where its axes are. */
function factorsOf(value: Expr): readonly [number, number] | undefined {
  if (value.kind !== "apply" || value.function !== "mul") return undefined;
  const [a, b] = value.args;
  if (value.args.length !== 2 || a?.kind !== "read" || b?.kind !== "read") return undefined;
  return a.at === undefined && b.at === undefined ? [a.operand, b.operand] : undefined;
}

/** By how much the flat index of an operand grows with each axis; nothing where numbers stand beside. */
function stridesOf(
  call: BoundCall,
  operand: number,
  whole: Whole | undefined,
): ReadonlyMap<string, number> | undefined {
  const dims = call.inputs[operand]?.dims;
  if (dims === undefined || whole === undefined) return undefined;
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  const strides = new Map<string, number>();
  let stride = 1;
  for (let dim = whole.shape.length - 1; dim >= 0; dim -= 1) {
    let within = stride;
    for (const name of [...(dims[dim]?.identifiers ?? [])].reverse()) {
      const size = sizes.get(name);
      if (size === undefined && Number(name) !== 1) return undefined;
      if (size === undefined) continue;
      strides.set(name, (strides.get(name) ?? 0) + within);
      within *= size;
    }
    if (within !== stride * (whole.shape[dim] ?? 1)) return undefined;
    stride *= whole.shape[dim] ?? 1;
  }
  return strides;
}

function computed(work: Contraction, target: Whole, arithmetic: Arithmetic): number {
  const cell =
    arithmetic === "words"
      ? wordCell(work)
      : isIntegral(arithmetic)
        ? integerCell(work)
        : floatCell(work, roundingOf(arithmetic));
  let peak = 0;
  const visit = (depth: number, a: number, b: number, out: number): void => {
    const axis = work.outer[depth];
    if (axis === undefined) {
      const { value, error, magnitude } = cell(a, b);
      target.values[out] = value;
      target.errors[out] = error;
      if (magnitude > peak) peak = magnitude;
      return;
    }
    for (let at = 0; at < axis.size; at += 1)
      visit(depth + 1, a + at * axis.a, b + at * axis.b, out + at * axis.out);
  };
  visit(0, 0, 0, 0);
  return peak;
}

interface Cell {
  value: number;
  error: number;
  magnitude: number;
}

type CellAt = (a: number, b: number) => Cell;

/** Calls with the flat indices of every term, and how many terms follow at which steps. */
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
      const product = Math.imul(x[a + at * stepA] ?? 0, y[b + at * stepB] ?? 0);
      cell.value = (cell.value + product) | 0;
      cell.magnitude += Math.abs(product);
    }
  });
  return (a, b) => {
    [cell.value, cell.magnitude] = [0, 0];
    rows(a, b);
    return cell;
  };
}

/** A product is off by what its factors are, and by its own rounding; a sum by that of its terms. */
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
    // A factor of 0 beside one of which nothing is known.
    if (Number.isNaN(cell.error)) cell.error = Number.POSITIVE_INFINITY;
    if (Number.isNaN(cell.value)) cell.error = 0;
    return cell;
  };
}
