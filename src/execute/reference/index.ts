export { type Arithmetic, isWhole, type ValueKind } from "./arithmetic.ts";
export { type DrawRule, /** @internal */ drawnAt, type LeafDraw } from "./leaf-draw.ts";
export {
  drawLeaves,
  type IntegerDraw,
  type Leaf,
  /** @internal */ leafValues,
} from "./leaf-values.ts";

export { type ReferenceRun, runReference } from "./run-reference.ts";
export type { Whole } from "./whole.ts";
