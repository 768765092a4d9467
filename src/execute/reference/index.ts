// The unsharded run.

export { type ReferenceRun, runReference, type TensorOrigin, type Widen } from "./run-reference.ts";
export type { WholeTensor } from "./whole-tensor.ts";

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
