// The list of systems, and readers of texts with all systems.

export { ownCuts, ownPlaces, ownWords } from "./own-words.ts";
export {
  createDocumentReader,
  graphFormatOf,
  graphFormats,
  programHost,
  readDocument,
  readGraph,
  readPlan,
} from "./read.ts";
export { systems } from "./systems.ts";
export { type ReadModel, type ReadModules, textModel, textModules } from "./text-model.ts";

// Output of systems: code, emitted operators, costs.

export {
  type CodeFile,
  codeTargets,
  type LoadedTarget,
  loadTarget,
  loadTargets,
  type WrittenCode,
} from "./code.ts";
export { costModelOf } from "./cost-model-of.ts";
export { emittedBy } from "./emitted.ts";
export { emittedOtherwise } from "./emitted-otherwise.ts";
