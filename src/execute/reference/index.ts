// The unsharded run.

export { type Made, type ReferenceRun, runReference, type Widen } from "./run-reference.ts";
export type { Whole } from "./whole.ts";

// Numbers: their arithmetic, and the drawing of inputs and parameters.

export {
  type Arithmetic,
  isIntegral,
  largestExact,
  largestWord,
  leastWord,
  type ValueKind,
} from "./arithmetic.ts";
export { type DrawRule, /** @internal */ drawnAt, type LeafDraw } from "./leaf-draw.ts";
export {
  drawLeaves,
  type IntegerDraw,
  type Leaf,
  /** @internal */ leafValues,
} from "./leaf-values.ts";
