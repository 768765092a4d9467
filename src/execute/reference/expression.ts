import { product } from "#core/arithmetic";
import type { BoundCall } from "#core/ir";
import type { Expr } from "#core/ir/body";
import { required } from "#core/records";
import { type Arithmetic, constantError, constantOf, isIntegral } from "./arithmetic.ts";
import { evaluatorOf, type Triple } from "./bounds.ts";
import type { WholeTensor } from "./whole-tensor.ts";

/** The state of an evaluation: an index per named axis, and the error bound of the last value. */
export interface Point {
  readonly at: number[];
  error: number;
  /** The largest absolute value, or sum of absolute values, so far. */
  peak: number;
}

/** A value at a point; sets the point's error. */
export type Evaluate = (point: Point) => number;

/** The names that an expression may use: axes by slot, operands, and earlier tables. */
export interface Scope {
  readonly call: BoundCall;
  readonly arithmetic: Arithmetic;
  readonly slots: Map<string, number>;
  readonly operands: readonly (WholeTensor | undefined)[];
  readonly tables: ReadonlyMap<
    string,
    { readonly axes: readonly string[]; readonly entries: WholeTensor }
  >;
}

/** The slot of an axis, made when it is first named. */
export function slotOf({ slots }: Scope, axis: string): number {
  const slot = slots.get(axis) ?? slots.size;
  slots.set(axis, slot);
  return slot;
}

/** An expression as a function of the point. */
export function evaluateOf(expr: Expr, scope: Scope): Evaluate {
  switch (expr.kind) {
    case "number": {
      const value = constantOf(expr.value, scope.arithmetic);
      const error = constantError(expr.value, scope.arithmetic);
      return (point) => {
        point.error = error;
        return value;
      };
    }
    case "index": {
      const slot = slotOf(scope, expr.axis);
      return (point) => {
        point.error = 0;
        return point.at[slot] ?? Number.NaN;
      };
    }
    case "read":
      return expr.at === undefined
        ? projectedRead(expr.operand, scope)
        : explicitRead(expr.operand, expr.at, scope);
    case "table":
      return tableRead(expr.name, scope);
    case "apply":
      return application(expr, scope);
  }
}

/** An element at the operand's projection: per dim the mixed-radix number of its identifiers. */
function projectedRead(operand: number, scope: Scope): Evaluate {
  const whole = wholeOf(scope, operand);
  const dims = scope.call.inputs[operand]?.dims ?? [];
  const sizes = new Map(scope.call.axes.map(({ name, size }) => [name, size]));
  const dimSizes = whole.shape;
  const digits = dimSizes.flatMap((size, dim) => {
    const names = dims[dim]?.identifiers ?? [];
    if (size > 1 && !names.some((name) => sizes.has(name))) {
      throw new Error(`dim ${dim} of operand ${operand} has no axis to read along`);
    }
    const counted = names.filter((name) => sizes.has(name) || Number(name) !== 1);
    if (counted.some((name) => !sizes.has(name)))
      throw new Error(`a number inside a bracket of operand ${operand}`);
    const outside = product(dimSizes.slice(dim + 1));
    return digitsOf(counted, sizes, outside).map(({ name, stride }) => ({
      slot: slotOf(scope, name),
      stride,
    }));
  });
  return readAt(whole, digits);
}

/** The step of a flat index along each name of a mixed-radix number. */
function digitsOf(
  names: readonly string[],
  sizes: ReadonlyMap<string, number>,
  least: number,
): readonly { readonly name: string; readonly stride: number }[] {
  let stride = least;
  const found = names.toReversed().map((name) => {
    const digit = { name, stride };
    stride *= sizes.get(name) ?? 1;
    return digit;
  });
  return found.reverse();
}

/** The element at a flat index: the sum of indices, each times its step. */
function readAt(
  { values, errors }: WholeTensor,
  digits: readonly { readonly slot: number; readonly stride: number }[],
): Evaluate {
  // Two plain lists and a counted loop: this runs for every element of every operand.
  const slots = digits.map(({ slot }) => slot);
  const strides = digits.map(({ stride }) => stride);
  const count = slots.length;
  return (point) => {
    const { at } = point;
    let flat = 0;
    for (let digit = 0; digit < count; digit += 1) {
      flat += (at[slots[digit] as number] ?? 0) * (strides[digit] as number);
    }
    point.error = errors[flat] ?? 0;
    return values[flat] ?? Number.NaN;
  };
}

/** An element at computed indices; 0 outside of the tensor. */
function explicitRead(operand: number, at: readonly Expr[], scope: Scope): Evaluate {
  const whole = wholeOf(scope, operand);
  const indices = at.map((each) => evaluateOf(each, scope));
  const count = indices.length;
  const sizes = whole.shape;
  return (point) => {
    let flat = 0;
    let isInside = true;
    let uncertainty = 0;
    for (let dim = 0; dim < count; dim += 1) {
      const size = sizes[dim] ?? 1;
      const index = indices[dim]?.(point) ?? 0;
      uncertainty += point.error;
      if (!(index >= 0 && index < size)) isInside = false;
      flat = flat * size + index;
    }
    point.error =
      uncertainty > 0 ? Number.POSITIVE_INFINITY : isInside ? (whole.errors[flat] ?? 0) : 0;
    return isInside ? (whole.values[flat] ?? Number.NaN) : 0;
  };
}

function tableRead(name: string, scope: Scope): Evaluate {
  const table = required(scope.tables, name, "table");
  const { axes, entries } = table;
  const digits = axes.map((axis, dim) => ({
    slot: slotOf(scope, axis),
    stride: product(entries.shape.slice(dim + 1)),
  }));
  return readAt(entries, digits);
}

function application(expr: Extract<Expr, { kind: "apply" }>, scope: Scope): Evaluate {
  const { evaluate, bound } = evaluatorOf(expr.function, scope.arithmetic);
  const args = expr.args.map((arg) => evaluateOf(arg, scope));
  const arity = args.length;
  const [first, second, third] = args;
  if (isIntegral(scope.arithmetic)) {
    return (point) => {
      const result = evaluate(first?.(point) ?? 0, second?.(point) ?? 0, third?.(point) ?? 0);
      point.error = 0;
      const size = Math.abs(result);
      if (size > point.peak && size !== Number.POSITIVE_INFINITY) point.peak = size;
      return result;
    };
  }
  return (point) => {
    const a = first?.(point) ?? 0;
    const da = point.error;
    const b = second?.(point) ?? 0;
    const db = arity > 1 ? point.error : 0;
    const c = third?.(point) ?? 0;
    const dc = arity > 2 ? point.error : 0;
    const result = evaluate(a, b, c);
    point.error = bound([a, b, c] satisfies Triple, [da, db, dc], result, arity);
    const size = Math.abs(result);
    if (size > point.peak && size !== Number.POSITIVE_INFINITY) point.peak = size;
    return result;
  };
}

function wholeOf({ operands }: Scope, operand: number): WholeTensor {
  const whole = operands[operand];
  if (whole === undefined) throw new Error(`operand ${operand} is no tensor`);
  return whole;
}
