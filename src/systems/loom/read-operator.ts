import { type AffineRow, type Box, sameBox } from "#core/indexspace";
import {
  entryOf,
  type Operand,
  type Operator,
  type OperatorId,
  type PointKernel,
  tensorId,
} from "#core/ir";
import { pointKernel } from "#core/ir/body";
import { append, fieldOf } from "#core/records";
import type { LoomId, OperationNode, TensorNode } from "./graph.ts";
import { withImpliedIndex } from "./implied-index.ts";
import { type KnownKernel, libraryName } from "./known-kernel.ts";
import { type OperandSlot, operandSlots } from "./operands.ts";
import { attributesOf, fittingIndex, noSpace, type Space, spaceKey, spaceOf } from "./space.ts";

/** Context for reading an operation: tensors and names of the graph, and caches. */
export interface OperationContext {
  readonly tensors: ReadonlyMap<LoomId, TensorNode>;
  readonly names: ReadonlyMap<LoomId, string>;
  /** Index spaces by their key; many operations share one. */
  readonly spaces: Map<string, Space>;
  /** Kernels of single index points by space key, as far as they were computed. */
  readonly points: Map<string, PointKernel | undefined>;
}

/** An operation as an operator, with its index where it has one. */
export interface ReadOperation {
  readonly operator: Operator;
  readonly slots: readonly OperandSlot[];
  /**
   * Absolute index; absent where the operation has none or its projections do not give its
   * selections.
   */
  readonly index?: Box;
  readonly axes: readonly string[];
  /** Why some index axes have no form in an annotation; empty when all have one. */
  readonly unsaid: readonly string[];
}

/**
 * Reads an operation with sound selections as an operator: index axes, and one projection per
 * selection, all counted from 0. Without a fitting index the operator is one box that cannot be
 * cut.
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

/** Whether data enters or leaves the graph here, by the operation's tag or its kernel name. */
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

/** Kernel of a single index point, for an operation that the library lacks as a whole. */
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

/**
 * Library operators that compute the same with transposed operands: Loom's weights are not
 * transposed.
 */
const alike: Readonly<Record<string, readonly string[]>> = { linear: ["addmm", "matmul"] };

/**
 * The library entry of a kernel, with its linearity and reduction; empty for a kernel that the
 * library lacks.
 */
function runsAs(kernel: KnownKernel | undefined): Pick<Operator, "entry" | "linear" | "combine"> {
  if (kernel === undefined) return { linear: [] };
  const { entry, linear } = kernel;
  const { combine } = entry;
  return { entry: entry.name, linear, ...(combine !== undefined && { combine }) };
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

/** `add(mask=mask, tensors=[t0, t1])`. */
function callOf(
  { kernel }: OperationNode,
  slots: readonly OperandSlot[],
  { names }: OperationContext,
): string {
  const inputs = new Map<string, string[]>();
  for (const { side, name, selection } of slots) {
    if (side === "outputs") continue;
    append(inputs, name, names.get(selection.tensorId) ?? selection.tensorId);
  }
  const words = [...inputs].map(([name, list]) => {
    return `${name}=${list.length === 1 ? list.join("") : `[${list.join(", ")}]`}`;
  });
  return `${kernel}(${words.join(", ")})`;
}
