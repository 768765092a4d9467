// Call of a library entry in the form its rules take, and helpers that write annotations.

import { fieldOf } from "#core/records";
import type { Attributes } from "./attributes.ts";
import { type Loop, positionName } from "./body/body.ts";
import type { IndexAxis, OperandDim } from "./graph.ts";

/** A dim size that may be unknown while a program without shapes is read. */
export type KnownSize = number | undefined;

/**
 * The facts about a call that an annotation function sees: the shapes of tensors, `undefined` for
 * other operands.
 */
export interface CallShapes {
  readonly inputs: readonly (readonly KnownSize[] | undefined)[];
  readonly attributes: Attributes;
}

/** A tensor operand of a call: its shape, and the index axes of its dims. */
export interface CallOperand {
  readonly shape: readonly number[];
  readonly dims: readonly OperandDim[];
}

/**
 * A call whose annotation is bound, as bodies and gradients see it.
 *
 * Inputs stand at the position of their parameter; one that is no tensor, or was left out, is
 * `undefined`, and its value, if it has one, is among the attributes.
 */
export interface BoundCall {
  readonly inputs: readonly (CallOperand | undefined)[];
  readonly outputs: readonly CallOperand[];
  readonly axes: readonly IndexAxis[];
  readonly attributes: Attributes;
}

type WithAttributes = Pick<CallShapes, "attributes">;

/** A numeric argument, or its default. */
export function numberOf(call: WithAttributes, name: string, otherwise: number): number {
  const value = fieldOf(call.attributes, name);
  return typeof value === "number" ? value : otherwise;
}

/** A flag, or its default; numbers count as Python counts them. */
export function flagOf(call: WithAttributes, name: string, otherwise = false): boolean {
  const value = fieldOf(call.attributes, name);
  if (typeof value === "number") return value !== 0;
  return typeof value === "boolean" ? value : otherwise;
}

export function textOf(call: WithAttributes, name: string, otherwise: string): string {
  const value = fieldOf(call.attributes, name);
  return typeof value === "string" ? value : otherwise;
}

/** A list of integers; a single one counts as a list of itself. */
export function listOf(call: WithAttributes, name: string): readonly number[] | undefined {
  const value = fieldOf(call.attributes, name);
  if (typeof value === "number") return [value];
  return typeof value === "object" ? value : undefined;
}

/** One integer per spatial dim; a single integer holds for all dims. */
export function perDim(
  call: WithAttributes,
  name: string,
  count: number,
  otherwise: number,
): readonly number[] {
  const list = listOf(call, name) ?? [otherwise];
  return Array.from({ length: count }, (_, at) => list[at] ?? list[0] ?? otherwise);
}

/** The dim that `dim` or `axis` names, counted from the front. */
export function dimOf(call: WithAttributes, rank: number, otherwise: number): number {
  const asked = numberOf(call, "dim", numberOf(call, "axis", otherwise));
  return fromFront(asked, rank);
}

/** Several dims, sorted; all dims if none is named. */
export function dimsOf(call: WithAttributes, rank: number): readonly number[] {
  const asked = listOf(call, "dim") ?? listOf(call, "axis");
  const all = Array.from({ length: rank }, (_, dim) => dim);
  if (asked === undefined) return all;
  const named = new Set(asked.map((dim) => fromFront(dim, rank)));
  return all.filter((dim) => named.has(dim));
}

export function fromFront(dim: number, rank: number): number {
  return dim < 0 ? dim + rank : dim;
}

/** The shape of an input; rank 2 if unknown. */
export function shapeAt(call: CallShapes, at: number): readonly KnownSize[] {
  return call.inputs[at] ?? [undefined, undefined];
}

/** Number of index points of some axes together. */
export function pointsAlong({ axes }: BoundCall, names: readonly string[]): number {
  return axes.reduce((all, { name, size }) => (names.includes(name) ? all * size : all), 1);
}

/** The tensor operand at a position; asking for one that the call lacks is a bug. */
export function operandAt(call: BoundCall, at: number): CallOperand {
  const operand = call.inputs[at];
  if (operand === undefined) throw new Error(`no tensor operand ${at}`);
  return operand;
}

export function outputAt(call: BoundCall, at: number): CallOperand {
  const output = call.outputs[at];
  if (output === undefined) throw new Error(`no output ${at}`);
  return output;
}

/** Whether a dim is the `1` that annotates a tensor without dims. */
export function isLone(operand: CallOperand, dim: number): boolean {
  return (operand.dims[dim]?.identifiers.length ?? 0) === 0;
}

/** The one identifier that makes up a dim of an operand. */
export function axisAt(operand: CallOperand, dim: number): string {
  const identifier = operand.dims[dim]?.identifiers[0];
  if (identifier === undefined) throw new Error(`no identifier on dim ${dim}`);
  return identifier;
}

/** The names of the index axes that an operand has. */
export function axesIn(call: BoundCall, operand: CallOperand): readonly string[] {
  const names = new Set(operand.dims.flatMap(({ identifiers }) => identifiers));
  return call.axes.map(({ name }) => name).filter((name) => names.has(name));
}

/** The index axes that an operand lacks; a sum into the operand runs over them. */
export function axesBeside(call: BoundCall, operand: CallOperand): readonly string[] {
  const own = new Set(axesIn(call, operand));
  return call.axes.map(({ name }) => name).filter((name) => !own.has(name));
}

/** Loops over the elements of an operand: its index axes, and its dims that are plain numbers. */
export function pointsOf(call: BoundCall, operand: CallOperand): readonly Loop[] {
  const axes = new Set(call.axes.map(({ name }) => name));
  const plain = operand.dims.flatMap(({ identifiers }, dim): Loop[] =>
    identifiers.some((name) => axes.has(name))
      ? []
      : [{ axis: positionName(dim), size: operand.shape[dim] ?? 1 }],
  );
  return [...axesIn(call, operand).map((axis) => ({ axis })), ...plain];
}

const letters = "abcdefghijlmopqrstuvwxyz";

/** Names for the leading dims of a tensor: `a b c …`, without the letters that contractions use. */
export function leading(count: number): string {
  return letters.slice(0, Math.max(0, count)).split("").join(" ");
}

/** The name of one dim. */
export function letter(dim: number): string {
  return letters[dim] ?? `d${dim}`;
}

/** The names of dims, all free but those that a test freezes. */
export function frozenAt(rank: number, isFrozen: (dim: number) => boolean): readonly string[] {
  return Array.from({ length: rank }, (_, dim) => `${letter(dim)}${isFrozen(dim) ? "^" : ""}`);
}

/**
 * The annotation of an element-wise operator with right-aligned broadcasting: letters come from
 * the longest shape, a dim of size 1 beside a larger one, or one of unknown size, writes `1`
 * (dimops.md §2.1).
 */
export function broadcastAnnotation(call: CallShapes): string {
  const tensors = call.inputs.filter((shape) => shape !== undefined);
  const rank = Math.max(0, ...tensors.map((shape) => shape.length));
  const stretched = (column: number) =>
    tensors.some((shape) => {
      const dim = column - (rank - shape.length);
      return dim >= 0 && shape[dim] !== 1;
    });
  const inputs = call.inputs.map((shape) => {
    if (shape === undefined) return "?";
    const dims = shape.map((size, dim) => {
      const column = dim + rank - shape.length;
      return size === 1 && stretched(column) ? "1" : letter(column);
    });
    return dims.join(" ") || "1";
  });
  const output = Array.from({ length: rank }, (_, column) => letter(column)).join(" ");
  return `${inputs.join(", ")} -> ${output || "1"}`;
}

/**
 * The leading dims of two operands before the two dims of their matrices, right-aligned: a dim of
 * size 1 beside a larger one writes `1`.
 */
export function batchDims(
  a: readonly KnownSize[],
  b: readonly KnownSize[],
): readonly [a: readonly string[], b: readonly string[], result: readonly string[]] {
  const rank = Math.max(a.length, b.length, 2) - 2;
  const names = Array.from({ length: rank }, (_, dim) => letter(dim));
  const of = (shape: readonly KnownSize[], other: readonly KnownSize[]) =>
    names.slice(rank - Math.max(0, shape.length - 2)).map((name, at) => {
      const beside = other[at + other.length - shape.length];
      return shape[at] === 1 && beside !== 1 && beside !== undefined ? "1" : name;
    });
  return [of(a, b), of(b, a), names];
}

/**
 * Annotation in which every dim is free except the one that `dim` names; the result has the same
 * dims.
 */
export function alongDim(call: CallShapes, otherwise = -1): string {
  const rank = shapeAt(call, 0).length;
  const frozen = dimOf(call, rank, otherwise);
  const dims = frozenAt(rank, (dim) => dim === frozen).join(" ");
  return `${dims} -> ${dims}`;
}

/** The annotation of a reduction over the dims that `dim` names, `mark`ed; kept as 1 if asked. */
export function reducedAnnotation(call: CallShapes, mark: "+" | "^"): string {
  const rank = shapeAt(call, 0).length;
  const reduced = new Set(dimsOf(call, rank));
  const dims = Array.from({ length: rank }, (_, dim) => letter(dim));
  const inputs = dims.map((name, dim) => (reduced.has(dim) ? name + mark : name));
  const keeps = call.attributes.keepdim === true || call.attributes.keepdim === 1;
  const kept = dims.flatMap((name, dim) => {
    if (!reduced.has(dim)) return [name];
    return keeps ? ["1"] : [];
  });
  return `${inputs.join(" ")} -> ${kept.length === 0 ? "1" : kept.join(" ")}`;
}

/** The text of a size in an annotation; `1` if unknown. */
export function written(size: KnownSize): string {
  return String(size ?? 1);
}
