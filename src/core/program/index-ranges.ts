import { type Box, boxOf, projectBox, type Range, volumeOf } from "#core/indexspace";
import type { Operand, Operator, Tensor, TensorId } from "#core/ir";
import type { DeviceId, Layout } from "#core/mesh";
import { indexPieces } from "#core/plan";
import { required } from "#core/records";
import { ownBoxes } from "./fetch.ts";
import {
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
  valuesById,
} from "./program.ts";

/** The share of one device in an operator's step: a part of the index space and of each operand. */
export interface IndexRange {
  readonly device: DeviceId;
  /** The number of the part among the device's, from 0; a strategy with pieces gives several. */
  readonly piece: number;
  /** One range per index axis of the operator, in its order. */
  readonly box: Box;
  /** The parts of the operands, inputs first. */
  readonly inputs: readonly OperandRange[];
  readonly outputs: readonly OperandRange[];
}

/** The part of an operand that belongs to a part of the index space. */
export interface OperandRange {
  /** The box in the tensor's own indices. */
  readonly box: Box;
  /** Offset of the operand inside the block that the device holds, per dim. */
  readonly offset: readonly number[];
}

/**
 * The part of an operator's index space that each device computes, and the place of its operands in
 * the device's blocks (for causal masks, vocabulary offsets, halos). Devices in mesh order, then
 * pieces; a device beyond the end of an uneven axis has empty ranges. Empty for an operator without
 * operands.
 */
export function indexRangesOf(program: SpmdProgram, step: LocalStep): readonly IndexRange[] {
  const operator = program.graph.operators.find(({ id }) => id === step.operator);
  if (operator === undefined) throw new Error(`no operator ${step.operator}`);
  const known = lookup(program);
  const first = step.outputs[0] ?? step.inputs[0];
  if (first === undefined) return [];
  const { mesh } = known.layoutOf(first);
  const parts = indexPieces(operator, { ...step, mesh });
  const operandsOf = (operands: readonly Operand[], values: readonly ValueId[]) => {
    const held = operands.map((_, at) => known.boxesOf(values[at]));
    return (box: Box, device: DeviceId) =>
      operands.map((operand, at) => {
        const own = operandBox(operator, operand, known.shapeOf(operand.tensor), box);
        return { box: own, offset: offsetIn(held[at]?.get(device) ?? [], own) };
      });
  };
  const inputsOf = operandsOf(operator.inputs, step.inputs);
  const outputsOf = operandsOf(operator.outputs, step.outputs);
  return mesh.devices.flatMap((device, index) =>
    (parts[index] ?? []).map((box, piece) => ({
      device,
      piece,
      box,
      inputs: inputsOf(box, device),
      outputs: outputsOf(box, device),
    })),
  );
}

/**
 * Box of an operand that belongs to a box of the index space. In a bracket the outermost axis with
 * more than one index decides the range, and the axes after it are whole; a dim without an axis is
 * whole.
 */
function operandBox(operator: Operator, operand: Operand, shape: readonly number[], box: Box): Box {
  const { projection } = operand;
  if (projection !== undefined) {
    return volumeOf(box) > 0 ? projectBox(projection, box) : boxOf(shape.map(() => 0));
  }
  return boxOf(shape).map((whole, dim): Range => {
    const { identifiers = [], splittable } = operand.dims[dim] ?? {};
    if (splittable === undefined) return whole;
    let [range, length]: [Range, number] = [{ start: 0, stop: 1 }, 1];
    for (const name of identifiers) {
      const at = operator.axes.findIndex((axis) => axis.name === name);
      const size = operator.axes[at]?.size ?? Number(name);
      const inside = box[at] ?? { start: 0, stop: size };
      const isOne = range.stop - range.start === 1;
      range = isOne
        ? { start: range.start * size + inside.start, stop: range.start * size + inside.stop }
        : { start: range.start * size, stop: range.stop * size };
      length *= size;
    }
    return length === 0 ? whole : range;
  });
}

/**
 * The start of a box inside the held block that contains its first element, else inside the first
 * block.
 */
function offsetIn(held: readonly Box[], box: Box): readonly number[] {
  const holds = (block: Box) =>
    block.every(({ start, stop }, dim) => {
      const first = box[dim]?.start ?? 0;
      return start <= first && first < stop;
    });
  const block = held.find(holds) ?? held[0] ?? [];
  return box.map(({ start }, dim) => (volumeOf(box) === 0 ? 0 : start - (block[dim]?.start ?? 0)));
}

function lookup(program: SpmdProgram) {
  const values = valuesById(program);
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const heldAs = (id: ValueId | undefined): Value => {
    const value = id === undefined ? undefined : values.get(id);
    if (value === undefined) throw new Error(`no value ${id}`);
    return value;
  };
  const shapeOf = (id: TensorId): readonly number[] => tensorOf(tensors, id).shape;
  return {
    shapeOf,
    layoutOf: (id: ValueId | undefined): Layout => heldAs(id).layout,
    boxesOf: (id: ValueId | undefined): ReadonlyMap<DeviceId, readonly Box[]> => {
      const value = heldAs(id);
      const boxes = ownBoxes(value, shapeOf(value.tensor));
      const { devices } = value.layout.mesh;
      return new Map(devices.map((device, index) => [device, boxes[index] ?? []]));
    },
  };
}

function tensorOf(tensors: ReadonlyMap<TensorId, Tensor>, id: TensorId): Tensor {
  return required(tensors, id, "tensor");
}
