export { capital } from "./capital.ts";
export {
  type Checked,
  type Diagnostic,
  type Fix,
  failed,
  hasErrors,
  passed,
  type Span,
  type TextEdit,
  unreachable,
} from "./diagnostic.ts";
export { applyEdits, type Position, positionAt, positionsIn } from "./text.ts";
