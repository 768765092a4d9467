import type { Blocks, LocalBlock } from "#core/collective";
import { type Box, boxOf, containsBox, lengthOf, volumeOf } from "#core/indexspace";
import type { Graph, Operator, Tensor, TensorId } from "#core/ir";
import type { TracedBody } from "#core/ir/body";
import { type DeviceId, wholeLayout } from "#core/mesh";
import { type IndexRange, type Value, valueId } from "#core/program";
import { createMerges } from "./merge-pieces.ts";
import type { Merge, NumberRules } from "./number-rules.ts";
import { emptyBlocks, type LocalWork, runLocal } from "./run-local.ts";
import { type View, viewOf } from "./view.ts";

/** The body of a registered function on a device's part; `undefined` if it fails there. */
export type BodyAt = (range: IndexRange) => TracedBody | undefined;

/**
 * Runs a registered function's own body on every device, on the device's parts of the operands
 * alone, as the system itself does. The results are those of the annotation only if the annotation
 * is right. If the body fails, all elements are NaN.
 */
export function runTraced(work: LocalWork, bodyAt: BodyAt): readonly Blocks[] {
  const made = work.outputs.map((value) => emptyBlocks(value, work.shapeOf(value.tensor)));
  const mergeOf = createMerges(work.operator, work.rules);
  for (const range of work.ranges) {
    if (range.outputs.every(({ box }) => volumeOf(box) === 0)) continue;
    const body = bodyAt(range);
    if (body === undefined) continue;
    const operands = work.inputs.map((blocks, at) => {
      const whole = cutOut(blocks.get(range.device) ?? [], range.inputs[at]?.box ?? []);
      return shareOf(whole, work, at, range);
    });
    for (const [at, values] of runBody(body, operands, work.rules).entries()) {
      const box = range.outputs[at]?.box ?? [];
      const target = (made[at]?.get(range.device) ?? [])
        .map(viewOf)
        .find(({ box: held }) => containsBox(held, box));
      if (values === undefined || target === undefined) continue;
      putIn(target, box, values, mergeOf(range, at));
    }
  }
  return made;
}

/**
 * Share that a piece gets of an operand shared by value. With integers the first piece gets the
 * whole, to avoid fractions.
 */
function shareOf(
  values: Float64Array,
  { operator, rules }: LocalWork,
  at: number,
  { box }: IndexRange,
): Float64Array {
  for (const name of operator.inputs[at]?.shared ?? []) {
    const axis = operator.axes.findIndex((each) => each.name === name);
    const [size, part] = [operator.axes[axis]?.size ?? 1, box[axis]];
    const pieces = part === undefined ? 1 : Math.ceil(size / Math.max(1, lengthOf(part)));
    const isFirst = part === undefined || part.start === 0;
    for (const [place, value] of values.entries()) {
      if (rules.isExact) values[place] = isFirst ? value : 0;
      else values[place] = value / pieces;
    }
  }
  return values;
}

/** Runs the whole graph of a body on one device. */
function runBody(
  { graph, inputs, outputs, constants }: TracedBody,
  operands: readonly Float64Array[],
  rules: NumberRules,
): readonly (Float64Array | undefined)[] {
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
  const held = new Map<TensorId, Float64Array>();
  for (const [id, numbers] of constants) {
    held.set(id, numbers.map(rules.constant));
  }
  for (const [at, id] of inputs.entries()) held.set(id, operands[at] ?? new Float64Array());
  for (const operator of graph.operators) runInner(operator, tensors, held, rules);
  return outputs.map((id) => (id === undefined ? undefined : held.get(id)));
}

function runInner(
  operator: Operator,
  tensors: ReadonlyMap<TensorId, Tensor>,
  held: Map<TensorId, Float64Array>,
  rules: NumberRules,
): void {
  const shapeOf = (id: TensorId) => tensors.get(id)?.shape ?? [];
  const whole = (operand: Graph["operators"][number]["inputs"][number]) => ({
    box: boxOf(shapeOf(operand.tensor)),
    offset: shapeOf(operand.tensor).map(() => 0),
  });
  const range: IndexRange = {
    device: 0,
    piece: 0,
    box: boxOf(operator.axes.map(({ size }) => size)),
    inputs: operator.inputs.map(whole),
    outputs: operator.outputs.map(whole),
  };
  const made = runLocal({
    operator,
    ranges: [range],
    inputs: operator.inputs.map(({ tensor }) => blocksOf(shapeOf(tensor), held.get(tensor))),
    outputs: operator.outputs.flatMap(({ tensor }) => alone(tensors.get(tensor))),
    shapeOf,
    rules,
  });
  operator.outputs.forEach(({ tensor }, at) => {
    const values = made[at]?.get(0)?.[0]?.values;
    if (values !== undefined) held.set(tensor, values);
  });
}

function blocksOf(shape: readonly number[], values: Float64Array = new Float64Array()): Blocks {
  return new Map<DeviceId, readonly LocalBlock[]>([[0, [{ box: boxOf(shape), values }]]]);
}

/** A tensor as a value on a single device; empty without a tensor. */
function alone(tensor: Tensor | undefined): readonly Value[] {
  if (tensor === undefined) return [];
  const { id, dtype, role, shape } = tensor;
  const layout = wholeLayout({ axes: [], devices: [0] }, shape);
  return [{ id: valueId(id), tensor: id, dtype, role, layout }];
}

/** The elements of a box, row-major, collected from a device's blocks. */
function cutOut(blocks: readonly LocalBlock[], box: Box): Float64Array {
  const views = blocks.map(viewOf);
  const main = views.find(({ box: held }) => containsBox(held, box));
  const values = new Float64Array(volumeOf(box));
  let flat = 0;
  visit(box, (at) => {
    const view = main ?? views.find((each) => has(each, at));
    values[flat] = view?.values[flatIn(view, at)] ?? Number.NaN;
    flat += 1;
  });
  return values;
}

/** Writes the elements of a box, row-major, to their places in a block. */
function putIn(target: View, box: Box, values: Float64Array, merge: Merge): void {
  let flat = 0;
  visit(box, (at) => {
    const place = flatIn(target, at);
    target.values[place] = merge(target.values[place] ?? 0, values[flat] ?? Number.NaN);
    flat += 1;
  });
}

function has({ box }: View, at: readonly number[]): boolean {
  return box.every(({ start, stop }, dim) => {
    const index = at[dim] ?? 0;
    return start <= index && index < stop;
  });
}

function flatIn({ origin, strides }: View, at: readonly number[]): number {
  return at.reduce((flat, index, dim) => flat + index * (strides[dim] ?? 0), origin);
}

/** Every point of a box in row-major order. */
function visit(box: Box, action: (at: readonly number[]) => void): void {
  const at = box.map(({ start }) => start);
  const go = (dim: number): void => {
    const range = box[dim];
    if (range === undefined) {
      action(at);
      return;
    }
    for (let index = range.start; index < range.stop; index += 1) {
      at[dim] = index;
      go(dim + 1);
    }
  };
  go(0);
}
