import { product } from "#core/arithmetic";
import type { DType } from "#core/ir";
import type { Combine, ScalarFunction } from "#core/ir/body";
import type { Labelled } from "./python/labelled.ts";

/** Writes the operations of bodies for one Python array library. */
export interface Dialect {
  /** Names that the written file uses itself. */
  readonly names: readonly string[];
  readonly infinity: string;
  /** Code of an operand variable, cast if the operator's operand dtypes require it. */
  operand(name: string, dtype: DType, among: readonly DType[]): string;
  /** A call of a function for which Python has no sign; undefined where the dialect lacks it. */
  call(name: ScalarFunction, args: readonly Labelled[]): Labelled | undefined;
  /** Reduces a value along some dims. */
  folded(combine: Combine, value: Labelled, dims: readonly number[]): string;
  /** Permutes dims; `code` needs no brackets before a dot. */
  transposed(code: string, places: readonly number[]): string;
  einsum(equation: string, arrays: readonly string[]): string;
  /** The integers from 0 up to a length, excluded. */
  indices(length: Length): string;
  /**
   * The indices of several pieces of equal length, concatenated; `starts` is code for their starts.
   */
  joinedIndices(starts: string, length: Length): string;
  /** Repeats a value along the dims of a shape that it lacks; it has the last of them, or none. */
  filled(value: Labelled, shape: readonly Length[]): string;
  /** A number as an array of rank 0. */
  scalar(code: string): string;
  /** Casts a result to its own dtype; `read` lists the operand dtypes. */
  typed(value: Labelled, dtype: DType, read: readonly DType[]): string;
  /** A comparison converted to a numeric dtype. */
  numeric(value: Labelled, dtype: DType): string;
  /** Whether a comparison may be subtracted from or by numbers, counting as 0 or 1. */
  readonly subtractsComparisons: boolean;
  /** The position of a device along mesh axes, outermost first. */
  coordinate(axes: readonly string[]): string;
  /** Code that picks one of several numbers, or lists of numbers, by a position. */
  picked(values: readonly (number | readonly number[])[], position: string): string;
  /** Part of an array along a dim. */
  narrowed(code: string, dim: number, start: string, length: Length): string;
  /**
   * Elements of an array where a condition holds, else a number; the condition has the array's
   * dims.
   */
  chosen(condition: Labelled, code: string, otherwise: string): string;
  /** Whether arrays have the same length on all devices, so that shorter blocks are padded. */
  readonly padsBlocks: boolean;
}

/** A length on a device: a number, or code where devices differ. */
export type Length = number | string;

/** The product of lengths. */
export function productOf(lengths: readonly Length[]): Length {
  const numbers = lengths.filter((length) => typeof length === "number");
  const codes = lengths.filter((length) => typeof length === "string");
  const known = product(numbers);
  if (codes.length === 0) return known;
  return [...(known === 1 ? [] : [String(known)]), ...codes].join(" * ");
}
