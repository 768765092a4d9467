export {
  type Checked,
  type Diagnostic,
  type Fix,
  failed,
  hasErrors,
  passed,
  type Severity,
  type Span,
  type TextEdit,
  unreachable,
} from "./diagnostic.ts";
export { applyEdits, positionAt } from "./text.ts";
