export { type BodyFinding, bodyDiagnostics } from "./body-diagnostics.ts";
export { type AxisLists, placeEdits, strategyEdits, tupleEdits } from "./edit.ts";
export { programHost } from "./program-host.ts";
export { type Document, readDocument } from "./read-document.ts";
