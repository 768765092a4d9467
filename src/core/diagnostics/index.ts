// Faults and warnings as values.

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

// Several that say the same, as one.

export { mergeRepeatedDiagnostics } from "./merge-repeated.ts";

// Texts: edits, positions, sentences.

export { capitalized } from "./capitalized.ts";
export { joinWithAnd } from "./join-with-and.ts";
export { sentencesOf } from "./sentences.ts";
export { applyEdits, type Position, positionAt, positionsIn } from "./text.ts";
