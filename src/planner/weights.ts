/**
 * Seconds and bytes of a value for every combination of uses by its unknowns, in row-major order.
 */
export interface Weights {
  readonly seconds: Float64Array;
  readonly bytes: Float64Array;
}
