import type { Follower } from "./followers.ts";
import type { NumberType } from "./kernel-text.ts";
import type { AdapterTraits } from "./launch.ts";
import type { ProductEnd, ProductShape } from "./product-shape.ts";
import type { ProductTile } from "./tile-choice.ts";

/** A product, and the place of its result. */
export interface ProductKernelTask {
  readonly shape: ProductShape;
  readonly result: ProductEnd;
  /** Words from one part of the sum to the next, if the sum is cut. */
  readonly partStride: number;
  readonly instances: number;
  readonly type: Exclude<NumberType, "u32">;
  readonly tile: ProductTile;
  readonly traits: AdapterTraits;
  readonly followers: readonly Follower[];
}
