import { product } from "#core/arithmetic";
import type { AffineRow, Projection } from "#core/indexspace";
import type { Attributes } from "../attributes.ts";
import { bindCall } from "../bind-call.ts";
import type { BoundCall } from "../call.ts";
import type { LibraryEntry } from "../entry.ts";
import type { IndexAxis, Operator, PointKernel } from "../graph.ts";
import { entryOf } from "../library.ts";

/** A kernel bound to the blocks of one index point. */
export interface BoundPoint {
  /** Inputs in the order of the entry's parameters; axes and shapes are those of the blocks. */
  readonly call: BoundCall;
  /**
   * For each input of the call, the number of dims of length 1 that are put in front of its block's
   * dims.
   */
  readonly leading: readonly number[];
  /**
   * For each output and each dim of its block, the matching dim of the call's output; `undefined`
   * for a dim of length 1.
   */
  readonly places: readonly (readonly (number | undefined)[])[];
  readonly entry: LibraryEntry;
}

/**
 * The kernel that computes an operator at every point of its index space: a library entry that
 * takes the blocks which a point reads, and gives the blocks which it writes. `undefined` if no
 * entry fits, or if two points write one cell, whose value would then be undefined.
 *
 * Operands are taken in their own order, or in the first other order in which their blocks fit.
 */
export function pointKernel(name: string, operator: Operator): PointKernel | undefined {
  const entry = entryOf(name);
  if (entry === undefined || entry.variadic || operator.outputs.length === 0) return undefined;
  const { length } = operator.inputs;
  if (length < entry.required || length > entry.tensors || !writesOnce(operator)) return undefined;
  for (const order of ordersOf(length)) {
    const kernel = { entry: entry.name, order };
    const bound = bindPoint(operator, kernel);
    if (bound !== undefined && restsAreLoops(operator, bound.call)) return kernel;
  }
  return undefined;
}

/** A kernel on the blocks that any point of an operator touches; `undefined` where they do not fit. */
export function bindPoint(
  { inputs, outputs, attributes }: Pick<Operator, "inputs" | "outputs" | "attributes">,
  { entry: name, order }: PointKernel,
): BoundPoint | undefined {
  const entry = entryOf(name);
  if (entry === undefined) return undefined;
  const blocks = order.map((at) => blockOf(inputs[at]?.projection));
  const rank = slidingRank(entry);
  const leading = blocks.map((block, at) => (at < 2 ? Math.max(0, rank - block.length) : 0));
  const shapes = blocks.map((block, at) => [...Array<number>(leading[at] ?? 0).fill(1), ...block]);
  const given = { inputs: shapes, attributes: withWindow(attributes, entry, shapes[0] ?? []) };
  const bound = bindCall(entry, given);
  if (!bound.ok || bound.value.call.outputs.length !== outputs.length) return undefined;
  const { call } = bound.value;
  const places = outputs.flatMap(({ projection }, at) => {
    const found = placesIn(blockOf(projection), call.outputs[at]?.shape ?? []);
    return found === undefined ? [] : [found];
  });
  return places.length === outputs.length ? { call, leading, places, entry } : undefined;
}

function blockOf(projection: Projection = []): readonly number[] {
  return projection.map(({ extent }) => extent);
}

/** The rank of a convolution's or pooling's operands; a block may lack the leading dims. */
function slidingRank({ name }: LibraryEntry): number {
  const [, spatial] = /^(?:conv|max_pool|avg_pool)([1-3])d$/u.exec(name) ?? [];
  return spatial === undefined ? 0 : 2 + Number(spatial);
}

/** A pooling without a window in its call pools the whole block. */
function withWindow(
  attributes: Attributes,
  { parameters }: LibraryEntry,
  shape: readonly number[],
): Attributes {
  const isUnsaid = parameters.includes("kernel_size") && attributes.kernel_size === undefined;
  return isUnsaid ? { ...attributes, kernel_size: shape.slice(2) } : attributes;
}

/**
 * Maps the dims of a block to the dims of a result that differs from it only in dims of length 1.
 */
function placesIn(
  block: readonly number[],
  made: readonly number[],
): readonly (number | undefined)[] | undefined {
  const long = made.flatMap((size, dim) => (size === 1 ? [] : [dim]));
  const places = block.map((size) => (size === 1 ? undefined : long.shift()));
  const fits = block.every((size, dim) => size === 1 || made[places[dim] ?? -1] === size);
  return fits && long.length === 0 ? places : undefined;
}

/**
 * Whether no two points write one cell: every long index axis moves each result, and in every row
 * the steps reach further than all that is smaller.
 */
function writesOnce(operator: Operator): boolean {
  const { axes, outputs } = operator;
  const isLong = ({ size }: IndexAxis) => size > 1;
  return outputs.every(({ projection = [] }) => {
    const moves = (at: number) => projection.some(({ coefficients }) => coefficients[at] !== 0);
    const areMoved = axes.every((axis, at) => !isLong(axis) || isRest(operator, at) || moves(at));
    return areMoved && projection.every((row) => isMixedRadix(row, axes));
  });
}

function isMixedRadix({ coefficients, extent }: AffineRow, axes: readonly IndexAxis[]): boolean {
  const steps = axes
    .map(({ size }, at) => ({ step: Math.abs(coefficients[at] ?? 0), size }))
    .filter(({ step, size }) => step > 0 && size > 1)
    .sort((a, b) => a.step - b.step);
  let reach = extent;
  return steps.every(({ step, size }) => {
    const isBeyond = step >= reach;
    reach += step * (size - 1);
    return isBeyond;
  });
}

/** Whether no operand moves along an axis, so the axis does not belong to the index. */
function isRest({ inputs, outputs }: Pick<Operator, "inputs" | "outputs">, at: number) {
  return [...inputs, ...outputs].every(({ projection = [] }) =>
    projection.every(({ coefficients }) => (coefficients[at] ?? 0) === 0),
  );
}

/**
 * Whether the axes outside the index are loops of the kernel under the same name, or are never cut.
 */
function restsAreLoops(operator: Operator, call: BoundCall): boolean {
  return operator.axes.every((axis, at) => {
    if (axis.size === 1 || axis.reduction === "^" || !isRest(operator, at)) return true;
    return axis.reduction === "+" && isOwnLoop(axis, call);
  });
}

/** Whether an axis of an operator is one along which its kernel sums within a block. */
export function isOwnLoop({ name, size, reduction }: IndexAxis, call: BoundCall): boolean {
  const kept = call.outputs.flatMap(({ dims }) => dims.flatMap(({ identifiers }) => identifiers));
  const own = call.axes.find((axis) => axis.name === name);
  return reduction === "+" && own?.size === size && !kept.includes(name);
}

/** The orders of `count` operands, the given one first. */
function ordersOf(count: number): readonly (readonly number[])[] {
  const own = Array.from({ length: count }, (_, at) => at);
  return count > 3 ? [own] : permutations(own);
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

/** Largest number of cells of one operand that an index point of the operator touches. */
export function cellsPerPoint({ inputs, outputs }: Operator): number {
  const volumes = [...inputs, ...outputs].map(({ projection }) => product(blockOf(projection)));
  return Math.max(1, ...volumes);
}
