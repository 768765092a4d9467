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
import type { Attribute, Attributes, IndexAxis, OperandDim } from "#core/ir";
import { tensorPlaces } from "./from-dimops.ts";
import type { OperationNode } from "./graph.ts";
import { type KnownKernel, knownKernel } from "./known-kernel.ts";
import { cleanAxes, operandDimsOf } from "./operand-dims.ts";
import type { OperandSlot } from "./operands.ts";
import { annotationOf, axisNames } from "./to-dimops.ts";

/** The index of an operation if its projections give exactly its selections; else `undefined`. */
export function fittingIndex(
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

/** Key of an index space: equal texts give equal spaces. */
export function spaceKey(
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

/** Axes of an operator and the dims of its operands along them, counted from 0. */
export interface Space {
  readonly axes: readonly IndexAxis[];
  readonly annotation: OpAnno;
  /** One projection per operand: the index counted from 0, the tensor in its own coordinates. */
  readonly projections: readonly Projection[];
  readonly dims: readonly (readonly OperandDim[])[];
  /** The library operator that the operation computes. */
  readonly kernel?: KnownKernel;
  /** Why index axes have no form in an annotation. */
  readonly unsaid: readonly string[];
}

/** Space of an operation without a fitting index: a single point. */
export function noSpace(slots: readonly OperandSlot[]): Space {
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

/** Space of an index and its projections. */
export function spaceOf(
  operation: OperationNode,
  index: Box,
  slots: readonly OperandSlot[],
): Space {
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

/** Space of an annotation: the index axes first, then the annotation's other axes. */
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

/** Dims of an annotation; only index axes stay splittable. */
function indexDims(dims: readonly OperandDim[], names: readonly string[]): readonly OperandDim[] {
  return dims.map(({ identifiers, splittable }) => ({
    identifiers,
    ...(splittable !== undefined && names.includes(splittable) && { splittable }),
  }));
}

/** A row rewritten for an index that counts from 0. */
function moved(row: AffineRow, index: Box): AffineRow {
  const shift = row.coefficients.reduce((sum, factor, axis) => {
    return sum + factor * (index[axis]?.start ?? 0);
  }, 0);
  return { ...row, offset: row.offset + shift };
}

function widened(row: AffineRow, count: number): AffineRow {
  return { ...row, coefficients: [...row.coefficients, ...Array<number>(count).fill(0)] };
}

/**
 * An annotation without frozen marks (`^`) on axes that may be cut although it cannot express how.
 */
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

/** Parameters that describe the index and are no arguments of the kernel. */
const descriptive = ["anno", "index_names", "arguments", "block_of"];

/** Parameters of an operation that are arguments of its kernel. */
export function attributesOf({ params }: OperationNode): Attributes {
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
