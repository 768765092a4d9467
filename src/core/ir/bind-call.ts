import { type Checked, failed, passed } from "#core/diagnostics";
import {
  type Argument,
  type Bound,
  bindFirst,
  indexAxesOf,
  type Json,
  operandDims,
  parseAnnotation,
} from "#core/dimops";
import { fieldOf } from "#core/records";
import type { Attributes } from "./attributes.ts";
import type { BoundCall, CallOperand, CallShapes } from "./call.ts";
import type { LibraryEntry } from "./entry.ts";
import type { OperandDim, Operator, TensorId } from "./graph.ts";

/** A call of a library operator with its annotation bound. */
export interface BoundEntry {
  readonly bound: Bound;
  readonly call: BoundCall;
}

/**
 * Binds a call of an entry: its own annotation, or one that is given, e.g. by a gradient's step.
 * Sizes must be known here.
 */
export function bindCall(
  entry: LibraryEntry,
  call: CallShapes,
  annotation = entry.annotate(call),
): Checked<BoundEntry> {
  const parsed = parseAnnotation(annotation);
  if (!parsed.ok) return failed(...parsed.diagnostics);
  const inputs = call.inputs.map((shape, at): Argument => {
    if (shape !== undefined) return { kind: "tensor", shape: shape.map((size) => size ?? 1) };
    return { kind: "plain", value: plainValue(call.attributes, entry.parameters[at] ?? "") };
  });
  const binding = bindFirst([parsed.value], inputs, integersIn(call.attributes));
  if (!binding.ok) return failed(...binding.diagnostics);
  const { value: bound } = binding;
  const operand = (shape: readonly number[], position: number): CallOperand => ({
    shape,
    dims: operandDims(bound, position).map(plainDim),
  });
  const bodyCall: BoundCall = {
    inputs: inputs.map((input, at) =>
      input.kind === "tensor" ? operand(input.shape, at) : undefined,
    ),
    outputs: bound.outputs.map((shape, at) => operand(shape ?? [], inputs.length + at)),
    axes: indexAxesOf(bound),
    attributes: call.attributes,
  };
  return passed({ bound, call: bodyCall });
}

/**
 * Operator of a graph in the form that bodies take: tensor operands at their parameters' positions.
 * The annotation gives the positions (`?` marks an argument that is no tensor).
 */
export function callOf(
  operator: Operator,
  shapeOf: (tensor: TensorId) => readonly number[],
): BoundCall {
  const given = [...operator.inputs];
  const isAnnotated = operator.annotation.inputs.length > 0;
  const positions = isAnnotated ? operator.annotation.inputs : given.map(() => undefined);
  const surplus = positions.filter((shape) => shape?.ignored !== true).length < given.length;
  const inputs = positions.map((shape) => {
    // A `?` may also take a tensor: then there are more operands than annotated tensors.
    if (shape?.ignored === true && !surplus) return undefined;
    const operand = given.shift();
    return operand && { shape: shapeOf(operand.tensor), dims: operand.dims };
  });
  return {
    inputs,
    outputs: operator.outputs.map(({ tensor, dims }) => ({ shape: shapeOf(tensor), dims })),
    axes: operator.axes,
    attributes: operator.attributes,
  };
}

/**
 * The groups of operands in which a call is linear, by position: those of its entry, without operands
 * that the call leaves out. A group with a number in place of a tensor is dropped: the call is affine.
 */
export function linearGroups(
  { linear }: LibraryEntry,
  inputs: CallShapes["inputs"],
): readonly (readonly number[])[] {
  return linear
    .map((group) => group.filter((at) => at < inputs.length))
    .filter((group) => group.length > 0 && group.every((at) => inputs[at] !== undefined));
}

function plainDim({ identifiers, splittable }: OperandDim): OperandDim {
  return { identifiers, ...(splittable !== undefined && { splittable }) };
}

function plainValue(attributes: Attributes, name: string): Json {
  const value = fieldOf(attributes, name);
  return value === undefined ? null : typeof value === "object" ? [...value] : value;
}

/** The integer arguments of a call, by name: binding may use them as hidden sizes (dimops.md §2). */
export function integersIn(attributes: Attributes): Readonly<Record<string, number>> {
  const integers: Record<string, number> = {};
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "number" && Number.isInteger(value)) integers[name] = value;
  return integers;
}
