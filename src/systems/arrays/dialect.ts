import { product } from "#core/arithmetic";
import type { DType } from "#core/ir";
import type { Combine, ScalarFunction } from "#core/ir/body";
import type { Labelled } from "./python/labelled.ts";

/** How one array library of Python writes the operations of bodies. */
export interface Dialect {
  /** Names that the written file uses itself. */
  readonly names: readonly string[];
  readonly infinity: string;
  /** A variable, as an operator reads it that has operands of these element types. */
  operand(name: string, dtype: DType, among: readonly DType[]): string;
  /** A call of a function for which Python has no sign; undefined where the dialect lacks it. */
  call(name: ScalarFunction, args: readonly Labelled[]): Labelled | undefined;
  /** Values along some dims as one. */
  folded(combine: Combine, value: Labelled, dims: readonly number[]): string;
  /** Dims in another order; `code` needs no brackets in front of a point. */
  transposed(code: string, places: readonly number[]): string;
  einsum(equation: string, arrays: readonly string[]): string;
  /** The numbers from 0 to below a length. */
  indices(length: Length): string;
  /** The numbers of several pieces of one length, one piece after the other, by where each begins. */
  joinedIndices(starts: string, length: Length): string;
  /** A value that has the last of these dims, or none, repeated along the others. */
  filled(value: Labelled, shape: readonly Length[]): string;
  /** A number as an array without dims. */
  scalar(code: string): string;
  /** A result with its own element type, of operands with these. */
  typed(value: Labelled, dtype: DType, read: readonly DType[]): string;
  /** A comparison as a number of an element type. */
  numeric(value: Labelled, dtype: DType): string;
  /** Whether a comparison can stand in a difference beside numbers, where it counts as 0 or 1. */
  readonly subtractsComparisons: boolean;
  /** The position of a device along mesh axes, outermost first. */
  coordinate(axes: readonly string[]): string;
  /** Code that picks one of several numbers, or lists of numbers, by a position. */
  picked(values: readonly (number | readonly number[])[], position: string): string;
  /** Part of an array along a dim. */
  narrowed(code: string, dim: number, start: string, length: Length): string;
  /** A choice between the elements of an array and a number, by a condition of the same dims. */
  chosen(condition: Labelled, code: string, otherwise: string): string;
  /** Whether arrays have one length on all devices, with padding behind shorter blocks. */
  readonly padsBlocks: boolean;
}

/** How long something is on a device: a number, or code where devices differ. */
export type Length = number | string;

/** The product of lengths. */
export function productOf(lengths: readonly Length[]): Length {
  const numbers = lengths.filter((length) => typeof length === "number");
  const codes = lengths.filter((length) => typeof length === "string");
  const known = product(numbers);
  if (codes.length === 0) return known;
  return [...(known === 1 ? [] : [String(known)]), ...codes].join(" * ");
}
