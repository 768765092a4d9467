import type { Blocks, LocalBlock } from "#core/collective";
import type { Box } from "#core/indexspace";
import { containsBox } from "#core/indexspace";
import type { BoundCall, Operator, TensorId } from "#core/ir";
import { type Loop, operatorBody, positionName } from "#core/ir/body";
import { boxesByIndex, type DeviceId } from "#core/mesh";
import type { IndexRange, Value } from "#core/program";
import { blockFrom } from "./block-from.ts";
import { type Counter, compileDefinition } from "./compile-definition.ts";
import {
  createProgram,
  type OperandViews,
  type Program,
  registerOf,
} from "./compile-expression.ts";
import { type ContractionWork, contract } from "./contract.ts";
import { createMerges, latest } from "./merge-pieces.ts";
import type { Merge, NumberRules } from "./number-rules.ts";
import { storePoints } from "./store-points.ts";
import { type View, viewOf } from "./view.ts";

/** A step of an operator, with its operands and the layouts of its results. */
export interface LocalWork {
  readonly operator: Operator;
  readonly ranges: readonly IndexRange[];
  readonly inputs: readonly Blocks[];
  readonly outputs: readonly Value[];
  readonly shapeOf: (tensor: TensorId) => readonly number[];
  readonly rules: NumberRules;
  /** Called when a definition has been computed in Wasm. */
  readonly onVectors?: () => void;
  /** Blocks that earlier operators have written of the results that this operator completes. */
  readonly earlier?: readonly (Blocks | undefined)[];
}

/** Runs an operator on every device, each on its own part of the index space. */
export function runLocal(work: LocalWork): readonly Blocks[] {
  const { operator, shapeOf } = work;
  const { call, body, points } = operatorBody(operator, shapeOf);
  const made = work.outputs.map((value, at) =>
    emptyBlocks(value, shapeOf(value.tensor), work.earlier?.[at]),
  );
  const mergeOf = createMerges(operator, work.rules);
  for (const range of work.ranges) {
    const program = createProgram(call, work.rules, operandsOf(work, call, range));
    const counterOf = (loop: Loop) => counterFor(loop, program, operator, range);
    for (const { name, axes, ...definition } of body.tables) {
      const counters = axes.map(counterOf);
      const values = new Float64Array(counters.reduce((n, each) => n * spanOf(each), 1));
      program.tables.set(name, { values, axes: stridesOf(counters) });
      const box = counters.map(({ start, stop }) => ({ start, stop }));
      const isPlain = axes.every(({ size }) => size === undefined);
      const target = viewOf({ box, values });
      const output = { dims: axes.map(({ axis }) => ({ identifiers: [axis] })) };
      if (
        isPlain &&
        contractOn({ work, call, program, range }, { definition, output, box, target })
      )
        continue;
      const compute = compileDefinition(definition, program, counterOf);
      let flat = 0;
      iterate(counters, program, () => {
        values[flat++] = compute();
      });
    }
    for (const [at, definition] of body.outputs.entries()) {
      const compute = compileDefinition(definition, program, counterOf);
      const box = range.outputs[at]?.box ?? [];
      const target = targetOf(made[at]?.get(range.device) ?? [], box);
      if (target === undefined) continue;
      const merge = mergeOf(range, at);
      const placed = points?.[at];
      const output = call.outputs[at];
      const isPlain = placed === undefined && merge === latest && output !== undefined;
      if (
        isPlain &&
        contractOn({ work, call, program, range }, { definition, output, box, target })
      )
        continue;
      if (placed !== undefined) storePoints(target, placed, range.box, program, compute, merge);
      else store(target, box, call.outputs[at]?.dims ?? [], program, compute, merge);
    }
  }
  return made;
}

/** An operator on one device. */
interface OnDevice {
  readonly work: LocalWork;
  readonly call: BoundCall;
  readonly program: Program;
  readonly range: IndexRange;
}

/** Computes a definition in Wasm if that pays; returns whether it has. */
function contractOn(
  { work, call, program, range }: OnDevice,
  sum: Pick<ContractionWork, "definition" | "output" | "box" | "target">,
): boolean {
  const { operands } = program;
  const { rules, onVectors } = work;
  const isDone = contract({ ...sum, call, operands, index: range.box, rules });
  if (isDone) onVectors?.();
  return isDone;
}

/** Blocks for every device's share of a value, with the elements that earlier operators made. */
export function emptyBlocks(
  { layout, held }: Value,
  shape: readonly number[],
  earlier?: Blocks,
): Map<DeviceId, readonly LocalBlock[]> {
  const boxes = held ?? boxesByIndex(layout, shape);
  return new Map(
    layout.mesh.devices.map((device, index) => [
      device,
      (boxes[index] ?? []).map((box) => blockFrom(earlier?.get(device) ?? [], box)),
    ]),
  );
}

/** The operands of one device at the positions of their parameters. */
function operandsOf(
  { operator, inputs, shapeOf }: LocalWork,
  call: BoundCall,
  range: IndexRange,
): readonly (OperandViews | undefined)[] {
  let given = 0;
  return call.inputs.map((input) => {
    if (input === undefined) return undefined;
    const at = given++;
    const blocks = inputs[at]?.get(range.device) ?? [];
    const all = blocks.map(viewOf);
    const wanted = range.inputs[at]?.box ?? [];
    const whole = all.find(({ box: held }) => containsBox(held, wanted));
    const main = whole ?? (all.length > 1 ? viewOf(blockFrom(blocks, wanted)) : undefined);
    const operand = operator.inputs[at];
    return { main, all, shape: operand === undefined ? [] : shapeOf(operand.tensor) };
  });
}

function counterFor(
  { axis, size }: Loop,
  program: Program,
  operator: Operator,
  { box }: IndexRange,
): Counter {
  const register = registerOf(program, axis);
  if (size !== undefined) return { register, start: 0, stop: size };
  const range = box[operator.axes.findIndex(({ name }) => name === axis)];
  if (range === undefined) throw new Error(`${operator.name} has no axis ${axis}`);
  return { register, ...range };
}

function spanOf({ start, stop }: Counter): number {
  return stop - start;
}

function stridesOf(counters: readonly Counter[]) {
  let stride = 1;
  return [...counters]
    .reverse()
    .map((counter) => {
      const axis = { register: counter.register, start: counter.start, stride };
      stride *= spanOf(counter);
      return axis;
    })
    .reverse();
}

/** Runs through all points of some counters, the last one fastest. */
function iterate(counters: readonly Counter[], { registers }: Program, visit: () => void): void {
  const go = (depth: number): void => {
    const counter = counters[depth];
    if (counter === undefined) {
      visit();
      return;
    }
    for (let index = counter.start; index < counter.stop; index += 1) {
      registers[counter.register] = index;
      go(depth + 1);
    }
  };
  go(0);
}

function targetOf(blocks: readonly LocalBlock[], box: Box): View | undefined {
  const views = blocks.map(viewOf);
  return views.find(({ box: held }) => containsBox(held, box));
}

/** Computes every element of a box of the result into the block that holds it. */
function store(
  target: View,
  box: Box,
  dims: readonly { readonly identifiers: readonly string[] }[],
  program: Program,
  compute: () => number,
  merge: Merge,
): void {
  const { registers, call } = program;
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  const places = box.map((range, dim) => ({
    range,
    stride: target.strides[dim] ?? 0,
    register: registerOf(program, positionName(dim)),
    digits: digitsOf(dims[dim]?.identifiers ?? [], sizes, program),
  }));
  const go = (depth: number, flat: number): void => {
    const place = places[depth];
    if (place === undefined) {
      target.values[flat] = merge(target.values[flat] ?? 0, compute());
      return;
    }
    for (let index = place.range.start; index < place.range.stop; index += 1) {
      registers[place.register] = index;
      for (const { register, divisor, size } of place.digits) {
        registers[register] = Math.floor(index / divisor) % size;
      }
      go(depth + 1, flat + index * place.stride);
    }
  };
  go(0, target.origin);
}

/** The digits by which the index of a bracket gives the indices of its identifiers. */
function digitsOf(
  identifiers: readonly string[],
  sizes: ReadonlyMap<string, number>,
  program: Program,
) {
  let divisor = 1;
  return [...identifiers].reverse().flatMap((name) => {
    const size = sizes.get(name) ?? Number(name);
    const digit = { register: registerOf(program, name), divisor, size };
    divisor *= size;
    return sizes.has(name) ? [digit] : [];
  });
}
