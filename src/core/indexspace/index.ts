// Boxes of indices.

export { coverageOf, /** @internal */ isExactCover, overlapsOf } from "./coverage.ts";
export { chunkLengths, cutBox } from "./pieces.ts";
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
export { boxesWithout } from "./without.ts";

// Projections from an index space to the cells of a tensor.

export { isDense } from "./density.ts";
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

// The effect of a cut of the index space on a tensor.

export { type SplitEffect, splitEffect } from "./split-effect.ts";
export { isCleanTiling } from "./tile.ts";
