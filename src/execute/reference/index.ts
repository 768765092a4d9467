export { type IntegerDraw, leafValues } from "./leaf-values.ts";

export {
  type ReferenceRun,
  runReference,
  type ValueKind,
  type WholeBodies,
} from "./run-reference.ts";
export type { Whole } from "./whole.ts";
