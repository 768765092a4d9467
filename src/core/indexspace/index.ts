export { coverageOf, /** @internal */ isExactCover, overlapsOf } from "./coverage.ts";
export { isDense } from "./density.ts";
export { chunkLengths, cutBox } from "./pieces.ts";
export {
  type AffineRow,
  fitsIndex,
  mixesSigns,
  type Projection,
  /** @internal */ project,
  projectBox,
  projectCorners,
  translate,
} from "./projection.ts";
export {
  type Box,
  boxOf,
  containsBox,
  intersect,
  lengthOf,
  type Range,
  sameBox,
  volumeOf,
} from "./range.ts";
export { type SplitEffect, splitEffect } from "./split-effect.ts";
export { tile } from "./tile.ts";
export { boxesWithout } from "./without.ts";
