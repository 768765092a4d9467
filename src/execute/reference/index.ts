export { leafValues } from "./leaf-values.ts";
export { type OperatorRun, runOperator } from "./run-operator.ts";
export { type ReferenceRun, runReference, type ValueKind } from "./run-reference.ts";
export { emptyWhole, type Whole } from "./whole.ts";
