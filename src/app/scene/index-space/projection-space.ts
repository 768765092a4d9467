import type { Compiled } from "#compile";
import { type AffineRow, type Box, boxOf, type Projection, type Range } from "#core/indexspace";
import type { IndexAxis, Operand, Operator, OperatorId, Tensor } from "#core/ir";
import type { DeviceId, DeviceMesh } from "#core/mesh";
import { flatSteps, indexRangesOf, type LocalStep } from "#core/program";
import { fieldOf } from "#core/records";
import { type Hue, hueOf } from "../hue.ts";

/** One axis of an index space, or one dim of a tensor, with its range of indices. */
export interface SpaceDim {
  readonly name: string;
  readonly range: Range;
}

/** A cut of an axis of the space by a mesh axis, before index `at`. */
export interface SpaceCut {
  readonly axis: number;
  readonly at: number;
  readonly hue: Hue;
}

/** The box of the index space that one device computes. */
export interface SpaceShard {
  readonly device: DeviceId;
  readonly box: Box;
}

/** A tensor that an operator reads or writes. */
export interface SpaceOperand {
  readonly name: string;
  readonly side: "input" | "output";
  readonly dims: readonly SpaceDim[];
  /** Projection from the index space to the cells of the tensor. */
  readonly projection: Projection;
}

/**
 * The index space of an operator, with the projections onto its operands and the cuts of the plan.
 */
export interface ProjectionSpace {
  readonly operator: OperatorId;
  readonly name: string;
  readonly call: string;
  readonly axes: readonly SpaceDim[];
  /** Operands, inputs first. */
  readonly operands: readonly SpaceOperand[];
  /** Shards in mesh order; a device without work has none. */
  readonly shards: readonly SpaceShard[];
  readonly cuts: readonly SpaceCut[];
}

/**
 * The index space of an operator with the cuts of the plan; `undefined` if the program has no such
 * operator. Operands without a projection get the one that their annotation describes.
 */
export function projectionSpaceOf(
  { program, mesh }: Pick<Compiled, "program" | "mesh">,
  id: OperatorId,
): ProjectionSpace | undefined {
  const operator = program.graph.operators.find((each) => each.id === id);
  if (operator === undefined) return undefined;
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const operandsOf = (operands: readonly Operand[], side: SpaceOperand["side"]) =>
    operands.flatMap((operand) => {
      const tensor = tensors.get(operand.tensor);
      return tensor === undefined ? [] : [spaceOperand(operator, operand, tensor, side)];
    });
  const axes = operator.axes.map(({ name, size, start = 0 }) => {
    return { name, range: { start, stop: start + size } };
  });
  const step = stepOf(program, id);
  const shards = step === undefined ? [] : shardsOf(program, step, axes);
  return {
    operator: id,
    name: operator.name,
    call: operator.call,
    axes,
    operands: [...operandsOf(operator.inputs, "input"), ...operandsOf(operator.outputs, "output")],
    shards,
    cuts: step === undefined ? [] : cutsOf(axes, shards, step, mesh.mesh),
  };
}

function stepOf(program: Compiled["program"], id: OperatorId): LocalStep | undefined {
  return flatSteps(program).find(
    (step): step is LocalStep => step.kind === "local" && step.operator === id,
  );
}

function shardsOf(
  program: Compiled["program"],
  step: LocalStep,
  axes: readonly SpaceDim[],
): readonly SpaceShard[] {
  return indexRangesOf(program, step)
    .filter(({ box }) => box.every(({ start, stop }) => start < stop))
    .map(({ device, box }) => ({ device, box: movedBy(box, startsOf(axes)) }));
}

/** Starts of pieces inside an axis, in the hue of the outermost mesh axis that shards it. */
function cutsOf(
  axes: readonly SpaceDim[],
  shards: readonly SpaceShard[],
  { strategy }: LocalStep,
  mesh: DeviceMesh,
): readonly SpaceCut[] {
  return axes.flatMap(({ name, range }, axis) => {
    const part = fieldOf(strategy.cuts, name)?.find((each) => each.kind === "axis");
    const hue = part?.kind === "axis" ? hueOf(mesh, part.axis) : 1;
    const starts = new Set(shards.map(({ box }) => box[axis]?.start ?? range.start));
    return [...starts]
      .filter((at) => at > range.start)
      .sort((a, b) => a - b)
      .map((at) => ({ axis, at, hue }));
  });
}

function spaceOperand(
  operator: Operator,
  operand: Operand,
  tensor: Tensor,
  side: SpaceOperand["side"],
): SpaceOperand {
  const whole = boxOf(tensor.shape);
  const rows =
    operand.projection ??
    whole.map((range, dim) => rowOf(operator.axes, operand.dims[dim]?.identifiers ?? [], range));
  const starts = tensor.start ?? [];
  const dims = movedBy(whole, starts).map((range, dim) => {
    return { name: tensor.dimNames[dim] ?? `${dim}`, range };
  });
  // The program counts axes and cells from 0, the text from their start index.
  const projection = rows.map((row, dim) => {
    const before = row.coefficients.reduce(
      (sum, factor, axis) => sum + factor * (operator.axes[axis]?.start ?? 0),
      0,
    );
    return { ...row, offset: row.offset + (starts[dim] ?? 0) - before };
  });
  return { name: tensor.name, side, dims, projection };
}

/**
 * A projection row from a dim's identifiers, major first: an axis moves the dim by the stride of
 * the identifiers after it; a number or a name without an axis is touched in full. A dim whose size
 * the identifiers do not produce is touched whole.
 */
function rowOf(
  axes: readonly IndexAxis[],
  identifiers: readonly string[],
  { stop }: Range,
): AffineRow {
  const coefficients = axes.map(() => 0);
  let extent = 1;
  let stride = 1;
  for (const name of identifiers.toReversed()) {
    const at = axes.findIndex((axis) => axis.name === name);
    const size = axes[at]?.size ?? (Number(name) || 1);
    if (at >= 0) coefficients[at] = (coefficients[at] ?? 0) + stride;
    else extent += (size - 1) * stride;
    stride *= size;
  }
  if (stride === stop) return { coefficients, offset: 0, extent };
  return { coefficients: axes.map(() => 0), offset: 0, extent: stop };
}

function movedBy(box: Box, starts: readonly number[]): Box {
  return box.map(({ start, stop }, dim) => {
    const by = starts[dim] ?? 0;
    return { start: start + by, stop: stop + by };
  });
}

function startsOf(axes: readonly SpaceDim[]): readonly number[] {
  return axes.map(({ range }) => range.start);
}
