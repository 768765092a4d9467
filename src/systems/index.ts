export { emittedBy } from "./emitted.ts";
export { createDocumentReader, programHost, readDocument, readPlan } from "./read.ts";
