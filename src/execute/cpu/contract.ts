import { type Box, lengthOf } from "#core/indexspace";
import type { BoundCall } from "#core/ir";
import type { Definition, Expr } from "#core/ir/body";
import type { OperandViews } from "./compile-expression.ts";
import type { NumberRules } from "./number-rules.ts";
import type { View } from "./view.ts";
import { wasmContraction } from "./wasm-contraction.ts";

/** The number of products from which packing for Wasm pays. */
const worthPacking = 2 ** 15;

/** A definition on one device, and the block that its box of results lies in. */
export interface ContractionWork {
  readonly call: BoundCall;
  readonly definition: Definition;
  readonly operands: readonly (OperandViews | undefined)[];
  /** The part of the index space. */
  readonly index: Box;
  /** The result's block, box, and the identifiers of its dims. */
  readonly output: {
    readonly dims: readonly { readonly identifiers: readonly string[] }[];
  };
  readonly box: Box;
  readonly target: View;
  readonly rules: NumberRules;
}

/** Index axis, with the strides of the flat indices of both operands and the result. */
interface Axis {
  readonly length: number;
  readonly start: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/**
 * Computes a sum of products of two operands in Wasm, if the definition is one and large enough.
 *
 * @returns whether it has done so
 */
export function contract(work: ContractionWork): boolean {
  const { definition, operands, call, index } = work;
  const factors = definition.combine === "sum" ? factorsOf(definition.value) : undefined;
  if (factors === undefined) return false;
  const [a, b] = factors.reads.map(({ operand }) => operands[operand]?.main);
  const strides = factors.reads.map((read, at) => stridesBy(call, read, [a, b][at]));
  const results = resultStrides(work);
  if (a === undefined || b === undefined || results === undefined) return false;
  const summed = new Set(definition.over.map(({ axis }) => axis));
  if (definition.over.some(({ size }) => size !== undefined)) return false;
  const axes: Axis[] = [];
  for (const [at, { name }] of call.axes.entries()) {
    const [ofA, ofB] = strides.map((each) => each.get(name) ?? 0);
    const range = results.ranges.get(name) ?? index[at];
    if (range === undefined) return false;
    const isKnown = summed.has(name) !== results.strides.has(name);
    if (lengthOf(range) > 1 && !isKnown) return false;
    const c = results.strides.get(name) ?? 0;
    axes.push({ length: lengthOf(range), start: range.start, a: ofA ?? 0, b: ofB ?? 0, c });
  }
  return multiply(work, { a, b, axes, scale: factors.scale });
}

type Read = Extract<Expr, { kind: "read" }>;

interface Factors {
  readonly reads: readonly [Read, Read];
  readonly scale: number;
}

/** The two operands of a product, and its constant factor. */
function factorsOf(value: Expr): Factors | undefined {
  const reads: Read[] = [];
  let scale = 1;
  const visit = (expr: Expr): boolean => {
    if (expr.kind === "number") {
      scale *= expr.value;
      return true;
    }
    if (expr.kind === "read") {
      reads.push(expr);
      return expr.at?.every(({ kind }) => kind === "index") ?? true;
    }
    return expr.kind === "apply" && expr.function === "mul" && expr.args.every(visit);
  };
  const [a, b] = visit(value) ? reads : [];
  return a === undefined || b === undefined || reads.length > 2
    ? undefined
    : { reads: [a, b], scale };
}

/** The step of an operand's flat index along each axis. */
function stridesBy(
  call: BoundCall,
  { operand, at }: Read,
  view: View | undefined,
): ReadonlyMap<string, number> {
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  const strides = new Map<string, number>();
  const dims = at?.map((each) => (each.kind === "index" ? [each.axis] : []));
  const written = call.inputs[operand]?.dims.map(({ identifiers }) => identifiers);
  for (const [dim, identifiers] of (dims ?? written ?? []).entries()) {
    let stride = view?.strides[dim] ?? 0;
    for (const name of identifiers.toReversed()) {
      const size = sizes.get(name);
      if (size === undefined) continue;
      strides.set(name, (strides.get(name) ?? 0) + stride);
      stride *= size;
    }
  }
  return strides;
}

/**
 * The step of the result's flat index along each axis, with the ranges of its box; `undefined` if a
 * dim is no single axis.
 */
function resultStrides({ call, output, box, target }: ContractionWork) {
  const known = new Set(call.axes.map(({ name }) => name));
  const strides = new Map<string, number>();
  const ranges = new Map<string, Box[number]>();
  for (const [dim, { identifiers }] of output.dims.entries()) {
    const [name] = identifiers;
    const range = box[dim];
    if (name === undefined || range === undefined || identifiers.length > 1) return undefined;
    if (!known.has(name) || strides.has(name)) return undefined;
    strides.set(name, target.strides[dim] ?? 0);
    ranges.set(name, range);
  }
  return { strides, ranges };
}

interface Product {
  readonly a: View;
  readonly b: View;
  readonly axes: readonly Axis[];
  readonly scale: number;
}

function multiply(work: ContractionWork, { a, b, axes, scale }: Product): boolean {
  const long = axes.filter(({ length }) => length !== 1);
  const batch = long.filter((axis) => axis.a !== 0 && axis.b !== 0 && axis.c !== 0);
  const rows = long.filter((axis) => axis.a !== 0 && axis.b === 0 && axis.c !== 0);
  const columns = long.filter((axis) => axis.a === 0 && axis.b !== 0 && axis.c !== 0);
  const inner = long.filter((axis) => axis.a !== 0 && axis.b !== 0 && axis.c === 0);
  if (batch.length + rows.length + columns.length + inner.length < long.length) return false;
  const counts = [rows, columns, inner].map((list) =>
    list.reduce((n, { length }) => n * length, 1),
  );
  const [m = 1, n = 1, k = 1] = counts;
  if (m * n * k < worthPacking || k < 2) return false;
  const wasm = wasmContraction(work.rules.wasm);
  if (wasm === undefined) return false;
  if (work.rules.isWords && [a, b].some(({ values }) => values.some(Number.isNaN))) return false;
  const places = (list: readonly Axis[], of: (axis: Axis) => number) => offsetsOf(list, of);
  const [rowA, rowC] = [places(rows, (axis) => axis.a), places(rows, (axis) => axis.c)];
  const [columnB, columnC] = [places(columns, (axis) => axis.b), places(columns, (axis) => axis.c)];
  const [innerA, innerB] = [places(inner, (axis) => axis.a), places(inner, (axis) => axis.b)];
  const first = (of: (axis: Axis) => number) =>
    axes.reduce((sum, axis) => sum + axis.start * of(axis), 0);
  const { target, rules } = work;
  const factor = rules.constant(scale);
  const times = rules.functionOf("mul");
  const batches = [batch].map((list) => [
    places(list, (axis) => axis.a),
    places(list, (axis) => axis.b),
    places(list, (axis) => axis.c),
  ])[0];
  for (const [at, batchA] of (batches?.[0] ?? []).entries()) {
    const fromA = a.origin + first((axis) => axis.a) + batchA;
    const fromB = b.origin + first((axis) => axis.b) + (batches?.[1]?.[at] ?? 0);
    const toC = target.origin + first((axis) => axis.c) + (batches?.[2]?.[at] ?? 0);
    const { values, rowLength } = wasm.run(
      { values: a.values, from: fromA, outer: rowA, inner: innerA },
      { values: b.values, from: fromB, outer: columnB, inner: innerB },
    );
    for (let row = 0; row < m; row += 1) {
      const to = toC + (rowC[row] ?? 0);
      for (let column = 0; column < n; column += 1) {
        const value = values[row * rowLength + column] ?? Number.NaN;
        target.values[to + (columnC[column] ?? 0)] = factor === 1 ? value : times(value, factor, 0);
      }
    }
  }
  return true;
}

/** The offsets of all points of some axes, the last one fastest. */
function offsetsOf(axes: readonly Axis[], of: (axis: Axis) => number): Int32Array {
  let offsets = Int32Array.of(0);
  for (const axis of axes) {
    const step = of(axis);
    const next = new Int32Array(offsets.length * axis.length);
    for (const [at, offset] of offsets.entries()) {
      for (let index = 0; index < axis.length; index += 1) {
        next[at * axis.length + index] = offset + index * step;
      }
    }
    offsets = next;
  }
  return offsets;
}
