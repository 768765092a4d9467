import { product } from "#core/arithmetic";

/** A whole tensor, row-major, with a bound for the rounding error of each element. */
export interface WholeTensor {
  readonly shape: readonly number[];
  readonly values: Float64Array;
  /** Error bounds by element; a shorter list means that the missing elements are exact. */
  readonly errors: Float64Array;
}

/** A tensor of exact numbers: they are not copied, and have no error bounds. */
export function exactWhole(shape: readonly number[], values: Float64Array): WholeTensor {
  return { shape, values, errors: nothing };
}

const nothing = new Float64Array(0);

/** Whole tensor whose elements are not yet computed. */
export function emptyWhole(shape: readonly number[]): WholeTensor {
  const count = product(shape);
  return { shape, values: new Float64Array(count), errors: new Float64Array(count) };
}
