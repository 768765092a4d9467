import type { IndexAxis, OperandDim } from "./graph.ts";

/** Part of an operator, or of a call, that determines the axes of its operands. */
interface OperandsAndAxes {
  readonly inputs: readonly ({ readonly dims: readonly OperandDim[] } | undefined)[];
  readonly outputs: readonly { readonly dims: readonly OperandDim[] }[];
  readonly axes: readonly IndexAxis[];
}

/** The two dims of a matrix that is an operand of a product. */
export interface MatrixDims {
  /** The dim that the result has too: the columns of `w` in `x @ w`. */
  readonly kept: number;
  /** The dim over which the product sums: the rows of `w`. */
  readonly summed: number;
}

/**
 * The dim of an operand that the result keeps, and the dim that is summed; `undefined` where the
 * operand is no matrix, or where both dims are kept, or both summed.
 */
export function matrixDims(
  { inputs, outputs, axes }: OperandsAndAxes,
  at: number,
): MatrixDims | undefined {
  const names = inputs[at]?.dims.map(axisOfDim) ?? [];
  const made = new Set(outputs[0]?.dims.map(axisOfDim));
  if (names.length !== 2 || names.some((name) => name === undefined)) return undefined;
  const kept = names.findIndex((name) => made.has(name));
  const summed = names.findIndex(
    (name) => !made.has(name) && axes.some((axis) => axis.name === name && axis.reduction !== ""),
  );
  return kept >= 0 && summed >= 0 ? { kept, summed } : undefined;
}

/** The one index axis of a dim; `undefined` for a bracket of several and for a number. */
export function axisOfDim(dim: OperandDim | undefined): string | undefined {
  const [name, ...more] = dim?.identifiers ?? [];
  return more.length === 0 ? name : undefined;
}
