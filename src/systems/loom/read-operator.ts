import {
  type Bound,
  indexAxesOf,
  type Json,
  type OpAnno,
  operandDims,
  parseAnnotation,
} from "#core/dimops";
import {
  type AffineRow,
  type Box,
  boxOf,
  fitsIndex,
  lengthOf,
  type Projection,
  projectBox,
  sameBox,
} from "#core/indexspace";
import {
  type Attribute,
  type Attributes,
  entryOf,
  type IndexAxis,
  type Operand,
  type OperandDim,
  type Operator,
  type OperatorId,
  type PointKernel,
  pointKernel,
  tensorId,
} from "#core/ir";
import { fieldOf } from "#core/records";
import type { LoomId, OperationNode, TensorNode } from "./graph.ts";
import { withImpliedIndex } from "./implied-index.ts";
import { type KnownKernel, knownKernel, libraryName } from "./known-kernel.ts";
import { cleanAxes, operandDimsOf } from "./operand-dims.ts";
import { type OperandSlot, operandSlots } from "./operands.ts";
import { tensorPlaces } from "./tensor-places.ts";
import { annotationOf, axisNames } from "./to-dimops.ts";

/** What an operation needs from the graph around it. */
export interface OperationContext {
  readonly tensors: ReadonlyMap<LoomId, TensorNode>;
  readonly names: ReadonlyMap<LoomId, string>;
  /** Index spaces that operations had before, which many share. */
  readonly spaces: Map<string, Space>;
  /** The kernels of single index points that such spaces have, as far as they were asked for. */
  readonly points: Map<string, PointKernel | undefined>;
}

/** An operation as an operator, with its index where it has one. */
export interface ReadOperation {
  readonly operator: Operator;
  readonly slots: readonly OperandSlot[];
  /** Absolute; absent where there is none, or where the projections do not lead to the selections. */
  readonly index?: Box;
  readonly axes: readonly string[];
  /** Why index axes have no form in an annotation, where some have none. */
  readonly unsaid: readonly string[];
}

/**
 * An operation whose selections are sound as an operator: its index axes, and one projection per
 * selection, all counted from 0. An operation without an index that fits its selections is one box
 * that cannot be cut.
 */
export function readOperation(
  given: OperationNode,
  id: OperatorId,
  context: OperationContext,
): ReadOperation {
  const operation = withImpliedIndex(given);
  const slots = operandSlots(operation);
  const index = fittingIndex(operation, slots);
  const key = spaceKey(operation, index, slots);
  const space =
    context.spaces.get(key) ??
    (index === undefined ? noSpace(slots) : spaceOf(operation, index, slots));
  context.spaces.set(key, space);
  const operands = slots.map((slot, at) => operandOf(slot, at, space, context));
  const isInput = (at: number) => slots[at]?.side === "inputs";
  const operator: Operator = {
    id,
    name: id,
    op: operation.kernel,
    attributes: attributesOf(operation),
    call: callOf(operation, slots, context),
    annotation: space.annotation,
    axes: space.axes,
    inputs: operands.filter((_, at) => isInput(at)),
    outputs: operands.filter((_, at) => !isInput(at)),
    ...runsAs(operands.every(({ range }) => range === undefined) ? space.kernel : undefined),
    reducesInside: false,
    ...passageOf(operation),
  };
  const axes = space.axes.slice(0, index?.length ?? 0).map(({ name }) => name);
  const isWhole = operator.entry !== undefined || index === undefined;
  const points = isWhole ? undefined : pointsOf(operator, key, context);
  return {
    operator: points === undefined ? operator : { ...operator, ...atPoints(points) },
    slots,
    axes,
    unsaid: space.unsaid,
    ...(index !== undefined && { index }),
  };
}

/** Whether data enters or leaves the graph there: it is marked so, or its kernel is named so. */
function passageOf({ kernel, tags, inputs, outputs }: OperationNode): Pick<Operator, "passage"> {
  const name = libraryName(kernel);
  const isMarked = tags.isSequencePoint === true;
  if (inputs.size === 0 && outputs.size > 0 && (isMarked || name === "import")) {
    return { passage: "in" };
  }
  const isOut = outputs.size === 0 && inputs.size > 0 && (isMarked || name === "export");
  return isOut ? { passage: "out" } : {};
}

function atPoints(points: PointKernel): Pick<Operator, "points" | "combine"> {
  const combine = entryOf(points.entry)?.combine;
  return { points, ...(combine !== undefined && { combine }) };
}

/** The kernel of single points, of an operation that the library does not have as a whole. */
function pointsOf(operator: Operator, key: string, { points }: OperationContext) {
  if (!points.has(key)) {
    const name = libraryName(operator.op);
    const kernels = [name, ...(fieldOf(alike, name) ?? [])].map((each) =>
      pointKernel(each, operator),
    );
    points.set(
      key,
      kernels.find((kernel) => kernel !== undefined),
    );
  }
  return points.get(key);
}

/** Operators that do the same on operands that lie in another order: Loom's weights are not turned. */
const alike: Readonly<Record<string, readonly string[]>> = { linear: ["addmm", "matmul"] };

/** What is known of a kernel that the library has. */
function runsAs(kernel: KnownKernel | undefined): Pick<Operator, "entry" | "linear" | "combine"> {
  if (kernel === undefined) return { linear: [] };
  const { entry, linear } = kernel;
  const { combine } = entry;
  return { entry: entry.name, linear, ...(combine !== undefined && { combine }) };
}

/** The index of an operation whose projections all lead to its selections. */
function fittingIndex(
  { tags: { index } }: OperationNode,
  slots: readonly OperandSlot[],
): Box | undefined {
  if (index === undefined) return undefined;
  const fits = slots.every(({ projection, selection }) => {
    if (projection === undefined || !fitsIndex(projection, index.length)) return false;
    return sameBox(projectBox(projection, index), selection.range);
  });
  return fits ? index : undefined;
}

/** What an index space follows from, as a text. */
function spaceKey(
  { params, kernel }: OperationNode,
  index: Box | undefined,
  slots: readonly OperandSlot[],
): string {
  const words = index === undefined ? [] : [kernel, ...params];
  const operands = slots.map(({ side, name, projection, selection }) => {
    return index === undefined ? [side, selection.range] : [side, name, projection];
  });
  return JSON.stringify([index ?? 0, words, operands]);
}

/** The axes of an operator and how its operands lie on them, from 0 on. */
export interface Space {
  readonly axes: readonly IndexAxis[];
  readonly annotation: OpAnno;
  /** By operand, with the index counted from 0 but the tensor in its own coordinates. */
  readonly projections: readonly Projection[];
  readonly dims: readonly (readonly OperandDim[])[];
  /** The operator of the library that it is. */
  readonly kernel?: KnownKernel;
  /** Why index axes have no form in an annotation. */
  readonly unsaid: readonly string[];
}

function noSpace(slots: readonly OperandSlot[]): Space {
  const projections = slots.map(({ selection }) =>
    selection.range.map((range): AffineRow => {
      return { coefficients: [], offset: range.start, extent: lengthOf(range) };
    }),
  );
  const text = (side: "inputs" | "outputs") =>
    slots
      .filter((slot) => slot.side === side)
      .map(({ selection }) => selection.range.map(lengthOf).join(" ") || "1")
      .join(", ");
  return {
    axes: [],
    annotation: annotationFrom(`${text("inputs")} -> ${text("outputs")}`),
    projections,
    dims: projections.map((rows) => rows.map(({ extent }) => ({ identifiers: [String(extent)] }))),
    unsaid: [],
  };
}

function spaceOf(operation: OperationNode, index: Box, slots: readonly OperandSlot[]): Space {
  const names = axisNames(operation, index.length);
  const shown = annotationOf(operation);
  const fromStart = slots.map(({ projection = [] }) => projection.map((row) => moved(row, index)));
  const own = index.map((range, at): IndexAxis => {
    const start = range.start === 0 ? {} : { start: range.start };
    return { name: names[at] ?? "", size: lengthOf(range), reduction: "", ...start };
  });
  const kernel = knownKernel({
    ...{ kernel: operation.kernel, attributes: attributesOf(operation) },
    ...{ index, names, slots, kept: shown?.bound },
  });
  const bound = kernel?.bound ?? shown?.bound;
  if (bound !== undefined) {
    const space = annotatedSpace(bound, own, fromStart);
    return { ...space, ...(kernel !== undefined && { kernel }) };
  }
  const zero = boxOf(own.map(({ size }) => size));
  const outputs = fromStart.filter((_, at) => slots[at]?.side === "outputs");
  const free = cleanAxes(zero, outputs);
  return {
    axes: own,
    annotation: annotationFrom(thawed(shown?.annotation ?? "", names, free)),
    projections: fromStart,
    dims: fromStart.map((rows) => operandDimsOf(rows, zero, names, free)),
    unsaid: shown?.reasons ?? [],
  };
}

/** The space of an annotation: the index axes first, then what the annotation has beside them. */
function annotatedSpace(
  bound: Bound,
  own: readonly IndexAxis[],
  projections: readonly Projection[],
): Space {
  const names = own.map(({ name }) => name);
  const known = new Map(indexAxesOf(bound).map((axis) => [axis.name, axis]));
  const rest = [...known.values()].filter(({ name }) => !names.includes(name));
  const axes = own.map((axis) => ({
    ...axis,
    reduction: known.get(axis.name)?.reduction ?? axis.reduction,
  }));
  return {
    axes: [...axes, ...rest],
    annotation: bound.annotation,
    projections: projections.map((rows) => rows.map((row) => widened(row, rest.length))),
    dims: tensorPlaces(bound).map((place) => indexDims(operandDims(bound, place), names)),
    unsaid: [],
  };
}

/** Dims of an annotation, of which only index axes can be cut. */
function indexDims(dims: readonly OperandDim[], names: readonly string[]): readonly OperandDim[] {
  return dims.map(({ identifiers, splittable }) => ({
    identifiers,
    ...(splittable !== undefined && names.includes(splittable) && { splittable }),
  }));
}

/** A row whose index counts from 0. */
function moved(row: AffineRow, index: Box): AffineRow {
  const shift = row.coefficients.reduce((sum, factor, axis) => {
    return sum + factor * (index[axis]?.start ?? 0);
  }, 0);
  return { ...row, offset: row.offset + shift };
}

function widened(row: AffineRow, count: number): AffineRow {
  return { ...row, coefficients: [...row.coefficients, ...Array<number>(count).fill(0)] };
}

function operandOf(
  { selection }: OperandSlot,
  at: number,
  space: Space,
  { tensors, names }: OperationContext,
): Operand {
  const whole = tensors.get(selection.tensorId)?.range ?? selection.range;
  const starts = whole.map(({ start }) => start);
  const inSpace = space.projections[at] ?? [];
  const isMoved = starts.some((start) => start !== 0);
  const projection = isMoved
    ? inSpace.map((row, dim): AffineRow => {
        return { ...row, offset: row.offset - (starts[dim] ?? 0) + 0 };
      })
    : inSpace;
  const range = selection.range.map(({ start, stop }, dim) => {
    const from = starts[dim] ?? 0;
    return { start: start - from, stop: stop - from };
  });
  return {
    tensor: tensorId(names.get(selection.tensorId) ?? selection.tensorId),
    dims: space.dims[at] ?? [],
    ...(!sameBox(selection.range, whole) && { range }),
    projection,
  };
}

/** An annotation without the marks of axes that may be cut, though it cannot say how. */
function thawed(text: string, names: readonly string[], free: ReadonlySet<number>): string {
  return [...free].reduce((kept, axis) => {
    const name = names[axis] ?? "";
    return kept.replace(new RegExp(`(?<![\\w])${name}\\^`, "gu"), name);
  }, text);
}

function annotationFrom(text: string): OpAnno {
  const parsed = parseAnnotation(text);
  return parsed.ok ? parsed.value : { inputs: [], outputs: [] };
}

/** `add(mask=mask, tensors=[t0, t1])`. */
function callOf(
  { kernel }: OperationNode,
  slots: readonly OperandSlot[],
  { names }: OperationContext,
): string {
  const inputs = new Map<string, string[]>();
  for (const { side, name, selection } of slots) {
    if (side === "outputs") continue;
    const list = inputs.get(name) ?? [];
    inputs.set(name, list);
    list.push(names.get(selection.tensorId) ?? selection.tensorId);
  }
  const words = [...inputs].map(([name, list]) => {
    return `${name}=${list.length === 1 ? list.join("") : `[${list.join(", ")}]`}`;
  });
  return `${kernel}(${words.join(", ")})`;
}

/** What only describes the index, and is no argument of the kernel. */
const descriptive = ["anno", "index_names", "arguments", "block_of"];

function attributesOf({ params }: OperationNode): Attributes {
  const kept = [...params].flatMap(([name, value]): [string, Attribute][] => {
    const attribute = attributeOf(value);
    return attribute === undefined || descriptive.includes(name) ? [] : [[name, attribute]];
  });
  return Object.fromEntries(kept);
}

function attributeOf(value: Json): Attribute | undefined {
  if (Array.isArray(value)) {
    const numbers = value.filter((item): item is number => typeof item === "number");
    return numbers.length === value.length ? numbers : undefined;
  }
  if (value === null || typeof value === "object") return undefined;
  return value;
}
