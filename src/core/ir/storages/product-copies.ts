import { product } from "#core/arithmetic";
import type { Operand, Operator, Tensor } from "../graph.ts";

/** Operand with its strides in memory. */
export interface Lying extends Pick<Operand, "tensor" | "dims">, Pick<Tensor, "shape" | "dtype"> {
  readonly strides: readonly number[];
}

/**
 * Operand that an operator copies before it runs; `times` is the size of the copy, in sizes of the
 * operand.
 */
export interface CopiedOperand {
  readonly input: number;
  readonly times: number;
}

interface Dim {
  readonly size: number;
  readonly stride: number;
}

/**
 * The operands that a product of matrices copies before it runs: its kernels take one dim each of
 * batches, rows and columns, and some dims cannot be read as one without a copy.
 */
export function copiedByProduct(
  operator: Operator,
  inputs: readonly Lying[],
  result: Lying | undefined,
): readonly CopiedOperand[] {
  if (operator.phase !== undefined && operator.phase !== "recompute") return [];
  const [a, b] = inputs;
  if (a === undefined || b === undefined || result === undefined) return [];
  if (operator.entry === "linear") return copied(0, a, folded(a));
  if (operator.entry === "einsum" && inputs.length === 2) return copiedByEinsum(a, b, result);
  if (operator.entry !== "matmul" || operator.op === "bmm") return [];
  const [left, right] = [a.shape.length, b.shape.length];
  if (left > 2 && right <= 2) return copied(0, a, folded(a));
  if (right > 2 && left <= 2) return copied(1, b, folded(b, true));
  const batches = result.shape.slice(0, -2);
  if (batches.length === 0) return [];
  return [a, b].flatMap((each, at) => copied(at, each, [batchesOf(each, batches)]));
}

function copied(
  input: number,
  { shape }: Lying,
  groups: readonly (readonly Dim[])[],
): readonly CopiedOperand[] {
  if (groups.every(isOneDim)) return [];
  const count = (sizes: readonly number[]) => product(sizes);
  const rest = groups.length === 1 ? count(shape.slice(-2)) : 1;
  const written = rest * count(groups.flat().map(({ size }) => size));
  return [{ input, times: written / Math.max(1, count(shape)) }];
}

/** Whether a single stride walks through all of some dims, so that they can be read as one dim. */
function isOneDim(dims: readonly Dim[]): boolean {
  const long = dims.filter(({ size }) => size !== 1);
  return long.every(({ stride }, at) => {
    const next = long[at + 1];
    return next === undefined || stride === next.size * next.stride;
  });
}

function dimAt({ shape, strides }: Lying, dim: number): Dim {
  return { size: shape[dim] ?? 1, stride: strides[dim] ?? 1 };
}

/**
 * Matrix operand as two groups of dims: all dims but the contracted one, then the contracted one.
 * The contracted dim is the last, or the last but one if transposed.
 */
function folded(operand: Lying, isTransposed = false): readonly (readonly Dim[])[] {
  const rank = operand.shape.length;
  const dims = operand.shape.map((_, dim) => dimAt(operand, dim));
  const inner = isTransposed ? rank - 2 : rank - 1;
  return [dims.filter((_, dim) => dim !== inner), dims.slice(inner, inner + 1)];
}

/** Batch dims of an operand, expanded to those of the result. */
function batchesOf(operand: Lying, batches: readonly number[]): readonly Dim[] {
  const skipped = batches.length - (operand.shape.length - 2);
  return batches.map((size, at) => {
    const own = dimAt(operand, at - skipped);
    return at >= skipped && own.size === size ? own : { size, stride: 0 };
  });
}

/**
 * Copies of an einsum of two operands: each side is arranged as batches, its own dims, and the
 * summed dims.
 */
function copiedByEinsum(a: Lying, b: Lying, result: Lying): readonly CopiedOperand[] {
  const namesOf = ({ dims }: Lying) => dims.map(({ identifiers }) => identifiers.join(" "));
  const [left, right, out] = [namesOf(a), namesOf(b), namesOf(result)];
  const summed = left.filter((name) => right.includes(name) && !out.includes(name));
  const batch = out.filter((name) => left.includes(name) && right.includes(name));
  return [a, b].flatMap((operand, input) => {
    const names = input === 0 ? left : right;
    const own = out.filter((name) => names.includes(name) && !batch.includes(name));
    const groups = [batch, own, summed].map((group) =>
      group.map((name) => dimAt(operand, names.indexOf(name))),
    );
    return copied(input, operand, groups);
  });
}
