export { type Arithmetic, isWhole, type ValueKind } from "./arithmetic.ts";
export { type DrawRule, drawnAt, type LeafDraw } from "./leaf-draw.ts";
export { drawLeaves, type IntegerDraw, type Leaf, leafValues } from "./leaf-values.ts";

export {
  type ReferenceRun,
  runReference,
  type WholeBodies,
} from "./run-reference.ts";
export type { Whole } from "./whole.ts";
