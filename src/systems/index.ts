export { costModelOf } from "./cost-model-of.ts";
export { emittedBy } from "./emitted.ts";
export { graphFormatOf, graphFormats, readGraph } from "./graph-formats.ts";
export { ownWords } from "./own-words.ts";
export { createDocumentReader, programHost, readDocument, readPlan } from "./read.ts";
export { systems } from "./systems.ts";
export { type TextModel, textModel } from "./text-model.ts";
