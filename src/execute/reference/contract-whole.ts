import type { BoundCall } from "#core/ir";
import type { Definition, Expr } from "#core/ir/body";
import type { Arithmetic } from "./arithmetic.ts";
import { type CellAt, type Contraction, plainCell } from "./contracted-cell.ts";
import { largeContraction } from "./large-contraction.ts";
import type { Axis } from "./multiply-whole.ts";
import type { WholeTensor } from "./whole-tensor.ts";

/**
 * Fills a result that is a sum of products of two operands along whole axes, by plain nested loops
 * over flat indices: the same numbers and bounds as point by point, in a fraction of the time.
 *
 * @param steps the step of the result's flat index along each of its axes
 * @returns the largest sum of absolute terms; `undefined` if the result is no such sum
 */
export function contractWhole(
  { over, combine, value }: Definition,
  call: BoundCall,
  operands: readonly (WholeTensor | undefined)[],
  steps: ReadonlyMap<string, number>,
  target: WholeTensor,
  arithmetic: Arithmetic,
): number | undefined {
  const factors = combine === "sum" && over.length > 0 ? factorsOf(value, call) : undefined;
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

/** The step of a result's flat index along each axis; `undefined` if a dim is a number. */
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

/** The two operands of a product, if both are read at their own axes. */
function factorsOf(value: Expr, call: BoundCall): readonly [number, number] | undefined {
  if (value.kind !== "apply" || value.function !== "mul" || value.args.length !== 2)
    return undefined;
  const [a, b] = value.args.map((factor) => operandRead(factor, call));
  return a === undefined || b === undefined ? undefined : [a, b];
}

/**
 * The operand of a read at its own axes, whether the read has no indices or names one axis per dim.
 */
function operandRead(factor: Expr, call: BoundCall): number | undefined {
  if (factor.kind !== "read") return undefined;
  const { operand, at } = factor;
  const dims = call.inputs[operand]?.dims ?? [];
  const isOwn = (place: Expr, dim: number) =>
    place.kind === "index" &&
    dims[dim]?.identifiers.length === 1 &&
    dims[dim].identifiers[0] === place.axis;
  const isPlain = at === undefined || (at.length === dims.length && at.every(isOwn));
  return isPlain ? operand : undefined;
}

/**
 * The stride of each axis in the flat index of an operand; `undefined` for an operand with numbers
 * in its dims.
 */
function stridesOf(
  call: BoundCall,
  operand: number,
  whole: WholeTensor | undefined,
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

function computed(work: Contraction, target: WholeTensor, arithmetic: Arithmetic): number {
  const cell = plainCell(work, arithmetic);
  return largeContraction(work, cell, target, arithmetic) ?? cellByCell(work, cell, target);
}

function cellByCell({ outer }: Contraction, cell: CellAt, target: WholeTensor): number {
  let peak = 0;
  const visit = (depth: number, a: number, b: number, out: number): void => {
    const axis = outer[depth];
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
