export { createDocumentReader, programHost, readDocument, readPlan } from "./read.ts";
