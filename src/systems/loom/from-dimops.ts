import {
  type Bound,
  indexAxesOf,
  indexBoxOf,
  type Json,
  printAnnotation,
  projectionsOf,
} from "#core/dimops";
import { type Box, type Projection, projectBox, splitEffect, translate } from "#core/indexspace";
import { append } from "#core/records";
import {
  type LoomGraph,
  loomId,
  type OperationNode,
  type ProjectionMap,
  type Selection,
  type SelectionMap,
  type TensorNode,
} from "./graph.ts";
import { uuidFrom } from "./uuid.ts";

/** Options for writing an annotation as a Loom operation. */
export interface LoomForm {
  /**
   * `closed` keeps axes that must not be split out of the index: frozen axes, summed axes, and axes
   * that some output lacks. `open` keeps every axis.
   */
  readonly form?: "closed" | "open";
  readonly kernel?: string;
  readonly dtype?: string;
  /** Names of the operands in order, inputs first. */
  readonly names?: readonly string[];
  /** Start of each operand in its tensor; 0 when absent. */
  readonly starts?: readonly (readonly number[])[];
  /** Tensors of the operands that already exist in a graph. */
  readonly tensors?: readonly (TensorNode | undefined)[];
}

/** An operand of a Loom operation. */
export interface LoomOperand {
  /** Its position in the annotation, inputs first. */
  readonly operand: number;
  readonly name: string;
  readonly isOutput: boolean;
  readonly projection: Projection;
  readonly tensor: TensorNode;
}

/**
 * Index axes of an annotation in Loom: the outputs' in order, then the rest (loom.md §5). In the
 * closed form, only axes whose every split tiles all outputs.
 */
export function loomAxes(bound: Bound, form: "closed" | "open"): readonly string[] {
  const axes = indexAxesOf(bound);
  const inOutputs = bound.annotation.outputs
    .flatMap(({ dims }) => dims.flatMap(({ identifiers }) => identifiers))
    .map(({ name }) => name);
  const names = [...new Set([...inOutputs, ...axes.map(({ name }) => name)])].filter((name) =>
    axes.some((axis) => axis.name === name),
  );
  if (form === "open") return names;
  const free = names.filter((name) => axes.find((axis) => axis.name === name)?.reduction === "");
  const index = indexBoxOf(bound, free);
  const outputs = projectionsOf(bound, free).slice(bound.inputs.length);
  return free.filter((_, axis) =>
    outputs.every(
      (output) => output === undefined || splitEffect(output, index, axis).kind === "clean",
    ),
  );
}

/** The operands of an annotation that are tensors, with a tensor node for each. */
export function loomOperands(
  bound: Bound,
  axes: readonly string[],
  { names = [], starts = [], tensors = [], dtype = "float32" }: LoomForm = {},
): readonly LoomOperand[] {
  const index = indexBoxOf(bound, axes);
  return projectionsOf(bound, axes).flatMap((projection, operand): LoomOperand[] => {
    if (projection === undefined) return [];
    const isOutput = operand >= bound.inputs.length;
    const position = isOutput ? operand - bound.inputs.length : operand;
    const name = names[operand] ?? `${isOutput ? "y" : "x"}${position}`;
    const moved = translate(projection, starts[operand] ?? []);
    const range = projectBox(moved, index);
    const known = tensors[operand];
    const tensor = known ?? tensorNode(name, dtype, range, `operand ${operand} ${name}`);
    return [{ operand, name, isOutput, projection: moved, tensor }];
  });
}

/** A tensor whose id follows from `key`. */
export function tensorNode(label: string, dtype: string, range: Box, key: string): TensorNode {
  return { kind: "Tensor", id: loomId(uuidFrom(`tensor ${key}`)), label, dtype, range, tags: {} };
}

/**
 * An operation whose selections are the projections of its index, with both tags.
 *
 * An index without axes becomes one axis of one point: Loom cannot read a matrix without columns.
 */
export function operationNode(
  label: string,
  axes: Box,
  places: readonly LoomOperand[],
  params: Readonly<Record<string, Json>> = {},
): OperationNode {
  const index = axes.length > 0 ? axes : [{ start: 0, stop: 1 }];
  const operands = axes.length > 0 ? places : places.map(overOnePoint);
  const inputs = operands.filter(({ isOutput }) => !isOutput);
  const outputs = operands.filter(({ isOutput }) => isOutput);
  return {
    kind: "Operation",
    id: loomId(uuidFrom(`operation ${label}`)),
    label,
    kernel: label,
    params: new Map(Object.entries(params)),
    inputs: selectionMap(index, inputs),
    outputs: selectionMap(index, outputs),
    tags: { index, signature: { inputs: projectionMap(inputs), outputs: projectionMap(outputs) } },
  };
}

function overOnePoint(operand: LoomOperand): LoomOperand {
  const projection = operand.projection.map((row) => ({ ...row, coefficients: [0] }));
  return { ...operand, projection };
}

/**
 * A bound annotation as a Loom graph: one tensor per operand, and one operation with its index and
 * projections.
 *
 * `params` keeps everything for which Loom has no member: the annotation itself, axis names,
 * argument order, and arguments that are not tensors.
 *
 * @internal
 */
export function loomOfAnnotation(bound: Bound, options: LoomForm = {}): LoomGraph {
  const axes = loomAxes(bound, options.form ?? "closed");
  const operands = loomOperands(bound, axes, options);
  const kernel = options.kernel ?? "op";
  const operation = operationNode(kernel, indexBoxOf(bound, axes), operands, {
    ...paramsOf(bound, axes),
    arguments: argumentsOf(bound, operands),
  });
  const nodes = [...operands.map(({ tensor }) => tensor), operation];
  return { id: loomId(uuidFrom(`graph ${kernel} ${operands.length}`)), nodes };
}

/** Annotation text and axis names, for which Loom has no member of its own. */
export function paramsOf(bound: Bound, axes: readonly string[]): Readonly<Record<string, Json>> {
  return { anno: printAnnotation(bound.annotation), index_names: axes };
}

/** The arguments in order: the operand name of a tensor, or the value of anything else. */
function argumentsOf(bound: Bound, operands: readonly LoomOperand[]): readonly Json[] {
  return bound.inputs.map((input, at): Json => {
    if (input.kind === "plain") return { value: input.value };
    return operands.find(({ operand }) => operand === at)?.name ?? null;
  });
}

function selectionMap(index: Box, operands: readonly LoomOperand[]): SelectionMap {
  return grouped(operands, ({ projection, tensor }): Selection => {
    return { tensorId: tensor.id, range: projectBox(projection, index) };
  });
}

function projectionMap(operands: readonly LoomOperand[]): ProjectionMap {
  return grouped(operands, ({ projection }) => projection);
}

/** Groups operands by name, each group in order. */
function grouped<T>(
  operands: readonly LoomOperand[],
  make: (operand: LoomOperand) => T,
): ReadonlyMap<string, readonly T[]> {
  const map = new Map<string, T[]>();
  for (const operand of operands) append(map, operand.name, make(operand));
  return map;
}

/** Positions of the tensor operands in an annotation, inputs first. */
export function tensorPlaces(bound: Bound): readonly number[] {
  const inputs = bound.inputs.flatMap(({ kind }, at) => (kind === "tensor" ? [at] : []));
  return [...inputs, ...bound.outputs.map((_, at) => bound.inputs.length + at)];
}
