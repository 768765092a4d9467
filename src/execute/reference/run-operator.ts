import { product } from "#core/arithmetic";
import type { BoundCall } from "#core/ir";
import {
  type Body,
  type Definition,
  type Loop,
  type PointOutput,
  positionName,
} from "#core/ir/body";
import { type Arithmetic, extremesOf, isIntegral, roundingOf } from "./arithmetic.ts";
import { chosenTerm } from "./chosen-term.ts";
import { contractWhole, stepsInto } from "./contract-whole.ts";
import { type Evaluate, evaluateOf, type Point, type Scope, slotOf } from "./expression.ts";
import { errorOf, type Fold, joinIn } from "./fold.ts";
import { emptyWhole, type WholeTensor } from "./whole-tensor.ts";

/** Results of an operator on whole tensors, and the largest intermediate number. */
export interface OperatorRun {
  readonly outputs: readonly WholeTensor[];
  readonly peak: number;
}

/**
 * The inputs of running an operator; `made` has the parts that earlier operators made of the same
 * results.
 */
export interface OperatorWork {
  readonly call: BoundCall;
  readonly body: Body;
  readonly points?: readonly PointOutput[];
  readonly made: readonly WholeTensor[];
}

/** Runs a body on whole operands by plain loops over all global indices. */
export function runOperator(
  { call, body, points, made }: OperatorWork,
  operands: readonly (WholeTensor | undefined)[],
  arithmetic: Arithmetic,
): OperatorRun {
  const tables = new Map<string, { axes: readonly string[]; entries: WholeTensor }>();
  const scope: Scope = { call, arithmetic, slots: new Map(), operands, tables };
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  const point: Point = { at: [], error: 0, peak: 0 };
  for (const { name, axes, ...definition } of body.tables) {
    const loops = axes.map((loop) => ({
      slot: slotOf(scope, loop.axis),
      size: lengthOf(loop, sizes),
    }));
    const entries = emptyWhole(loops.map(({ size }) => size));
    const steps = axes.every(({ size }) => size === undefined)
      ? rowMajor(axes, entries)
      : undefined;
    const peak = steps && contractWhole(definition, call, operands, steps, entries, arithmetic);
    if (peak !== undefined) point.peak = Math.max(point.peak, peak);
    else fill(entries, definitionOf(definition, scope, sizes), point, loops);
    tables.set(name, { axes: axes.map(({ axis }) => axis), entries });
  }
  const outputs = body.outputs.map((definition, at) => {
    const placed = points?.[at];
    const target = made[at];
    if (placed !== undefined && target !== undefined) {
      const evaluate = definitionOf(definition, scope, sizes);
      fillPoints(target, evaluate, point, pointPlaces(placed, target, scope));
      return target;
    }
    const output = call.outputs[at];
    if (output === undefined) throw new Error(`no output ${at}`);
    const entries = emptyWhole(output.shape);
    const places = output.dims.map(({ identifiers }, dim) => ({
      slot: slotOf(scope, positionName(dim)),
      size: output.shape[dim] ?? 1,
      parts: identifiers
        .filter((name) => sizes.has(name))
        .map((name) => ({ slot: slotOf(scope, name), size: sizes.get(name) ?? 1 }))
        .reverse(),
    }));
    const steps = stepsInto(output, sizes);
    const peak = steps && contractWhole(definition, call, operands, steps, entries, arithmetic);
    if (peak !== undefined) {
      point.peak = Math.max(point.peak, peak);
      return entries;
    }
    const evaluate = definitionOf(definition, scope, sizes);
    fill(
      entries,
      evaluate,
      point,
      places.length === output.shape.length ? places : plain(scope, output.shape),
    );
    return entries;
  });
  return { outputs, peak: point.peak };
}

/** The step of a table's flat index along each of its axes. */
function rowMajor(axes: readonly Loop[], { shape }: WholeTensor): ReadonlyMap<string, number> {
  const steps = axes.map(({ axis }, at): readonly [string, number] => [
    axis,
    product(shape.slice(at + 1)),
  ]);
  return new Map(steps);
}

interface DimSlots {
  readonly slot: number;
  readonly size: number;
  /** The identifiers of the dim, innermost first: their digits of the dim's index. */
  readonly parts?: readonly { readonly slot: number; readonly size: number }[];
}

function plain(scope: Scope, shape: readonly number[]): readonly DimSlots[] {
  return shape.map((size, dim) => ({ slot: slotOf(scope, positionName(dim)), size }));
}

/** Visits every point of some places in row-major order. */
function fill(
  target: WholeTensor,
  evaluate: Evaluate,
  point: Point,
  places: readonly DimSlots[],
): void {
  const visit = (depth: number, flat: number): void => {
    const place = places[depth];
    if (place === undefined) {
      target.values[flat] = evaluate(point);
      target.errors[flat] = point.error;
      return;
    }
    for (let index = 0; index < place.size; index += 1) {
      point.at[place.slot] = index;
      setParts(place, index, point);
      visit(depth + 1, flat * place.size + index);
    }
  };
  visit(0, 0);
}

function setParts({ parts }: DimSlots, index: number, point: Point): void {
  if (parts === undefined) return;
  let rest = index;
  for (const { slot, size } of parts) {
    point.at[slot] = rest % size;
    rest = Math.floor(rest / size);
  }
}

/** A loop over an index axis or over the cells of a point's block, with its step in the result. */
interface Stride {
  readonly slot: number;
  readonly size: number;
  readonly step: number;
  readonly digits?: readonly {
    readonly slot: number;
    readonly divisor: number;
    readonly size: number;
  }[];
}

interface PointPlaces {
  readonly first: number;
  readonly loops: readonly Stride[];
}

/** The loops that visit every cell that the points of an index write. */
function pointPlaces(
  { projection, loops }: PointOutput,
  target: WholeTensor,
  scope: Scope,
): PointPlaces {
  const strides = target.shape.map((_, dim) => product(target.shape.slice(dim + 1)));
  const along = (of: (row: PointOutput["projection"][number]) => number) =>
    projection.reduce((sum, row, dim) => sum + of(row) * (strides[dim] ?? 0), 0);
  const axes = scope.call.axes.map(({ name, size }, axis): Stride => {
    return { slot: slotOf(scope, name), size, step: along((row) => row.coefficients[axis] ?? 0) };
  });
  const cells = loops.map(
    ({ axis, size, dim, digits }): Stride => ({
      slot: slotOf(scope, axis),
      size,
      step: strides[dim] ?? 0,
      digits: digits.map((digit) => ({ ...digit, slot: slotOf(scope, digit.axis) })),
    }),
  );
  const moving = axes.filter(({ step, size }) => step !== 0 || size < 2);
  return { first: along((row) => row.offset), loops: [...moving, ...cells] };
}

function fillPoints(
  target: WholeTensor,
  evaluate: Evaluate,
  point: Point,
  { first, loops }: PointPlaces,
): void {
  const visit = (depth: number, flat: number): void => {
    const loop = loops[depth];
    if (loop === undefined) {
      target.values[flat] = evaluate(point);
      target.errors[flat] = point.error;
      return;
    }
    for (let index = 0; index < loop.size; index += 1) {
      point.at[loop.slot] = index;
      for (const { slot, divisor, size } of loop.digits ?? []) {
        point.at[slot] = Math.floor(index / divisor) % size;
      }
      visit(depth + 1, flat + index * loop.step);
    }
  };
  visit(0, first);
}

/** A definition as a function of the point: its value, combined over its loops. */
function definitionOf(
  definition: Definition,
  scope: Scope,
  sizes: ReadonlyMap<string, number>,
): Evaluate {
  const { over, combine, value } = definition;
  const evaluate = evaluateOf(value, scope);
  if (over.length === 0) return evaluate;
  const loops = over.map((loop) => ({
    slot: slotOf(scope, loop.axis),
    size: lengthOf(loop, sizes),
  }));
  const { arithmetic } = scope;
  const chosen = chosenTerm(definition, scope, loops);
  const [least, largest] = extremesOf(arithmetic);
  const start = { sum: 0, prod: 1, max: least, min: largest };
  const rounding = roundingOf(arithmetic);
  const join = joinIn(arithmetic);
  return (point) => {
    const only = chosen?.(point);
    if (only !== undefined) return only;
    const fold: Fold = { result: start[combine], errors: 0, magnitude: 0, count: 0, isWhole: true };
    const visit = (depth: number): void => {
      const loop = loops[depth];
      if (loop === undefined) {
        join(fold, combine, evaluate(point), point.error);
        return;
      }
      for (let index = 0; index < loop.size; index += 1) {
        point.at[loop.slot] = index;
        visit(depth + 1);
      }
    };
    visit(0);
    if (fold.magnitude > point.peak) point.peak = fold.magnitude;
    point.error = isIntegral(arithmetic) ? 0 : errorOf(fold, combine, rounding);
    return fold.result;
  };
}

function lengthOf({ axis, size }: Loop, sizes: ReadonlyMap<string, number>): number {
  const length = size ?? sizes.get(axis);
  if (length === undefined) throw new Error(`no axis ${axis}`);
  return length;
}
