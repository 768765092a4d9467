export { type Coverage, coverageOf, isExactCover, type Overlap, overlapsOf } from "./coverage.ts";
export { isDense } from "./density.ts";
export { chunkLengths, cutBox } from "./pieces.ts";
export {
  type AffineRow,
  fitsIndex,
  mixesSigns,
  type Projection,
  project,
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
export { type Tiling, tile } from "./tile.ts";
export { boxesWithout, boxWithout } from "./without.ts";
