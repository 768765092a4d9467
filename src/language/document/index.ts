// Reading a text as a document.

export { programHost } from "./program-host.ts";
export type { ProgramLines } from "./program-lines.ts";
export { createDocumentReader, type Document, readDocument } from "./read-document.ts";
export { type GraphPlanContext, readPlan } from "./read-plan.ts";
export type { ReadingSystem } from "./system.ts";

// Notes on a document in addition to its own diagnostics.

export { uncalledInputGenerators } from "./input-generators.ts";
