/** A whole tensor, row-major, with a bound for the rounding error of each element. */
export interface Whole {
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly errors: Float64Array;
}

/** A tensor without elements filled in. */
export function emptyWhole(shape: readonly number[]): Whole {
  const count = shape.reduce((product, size) => product * size, 1);
  return { shape, values: new Float64Array(count), errors: new Float64Array(count) };
}
