import { type Box, boxOf, volumeOf } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";

/** The data of one box of a tensor on one device, in row-major order. */
export interface LocalBlock {
  readonly box: Box;
  readonly values: Float64Array;
}

/** The blocks that each device holds of a tensor, by piece (`slicesOf`). */
export type Blocks = ReadonlyMap<DeviceId, readonly LocalBlock[]>;

/** Block of NaN for a box; cells that nothing fills stay NaN. */
export function unfilled(box: Box): LocalBlock {
  return { box, values: new Float64Array(volumeOf(box)).fill(Number.NaN) };
}

/** A whole tensor as one block. */
export function wholeBlock(shape: readonly number[], values: Float64Array): LocalBlock {
  return { box: boxOf(shape), values };
}
