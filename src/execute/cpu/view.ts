import type { LocalBlock } from "#core/collective";
import { type Box, lengthOf } from "#core/indexspace";

/** A block of a tensor on one device, addressed by the tensor's own indices. */
export interface View {
  readonly values: Float64Array;
  readonly box: Box;
  /** The step of the flat index along each dim. */
  readonly strides: readonly number[];
  /** The flat index of the tensor's origin: negative unless the block begins there. */
  readonly origin: number;
}

export function viewOf({ box, values }: LocalBlock): View {
  const strides: number[] = [];
  let stride = 1;
  for (const range of [...box].reverse()) {
    strides.unshift(stride);
    stride *= lengthOf(range);
  }
  const origin = -box.reduce((sum, { start }, dim) => sum + start * (strides[dim] ?? 0), 0);
  return { values, box, strides, origin };
}
