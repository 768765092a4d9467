export { type BodyFinding, bodyDiagnostics } from "./body-diagnostics.ts";
export {
  type AxisLists,
  callEdits,
  layoutCallEdits,
  layoutText,
  placeEdits,
  strategyEdits,
  tupleEdits,
} from "./edit.ts";
export {
  linesEdit,
  planLinesAt,
  statementRemoval,
  targetAt,
  type WrittenCall,
  writtenPlaces,
  writtenStrategies,
} from "./edit-calls.ts";
export { carryEdits } from "./edit-carry.ts";
export {
  axisRemovalEdits,
  listsDevices,
  meshEdits,
  newMeshEdits,
  type WantedMesh,
  writtenMeshOf,
} from "./edit-mesh.ts";
export { reshardEdits } from "./edit-reshard.ts";
export { layoutEdits, partitionEdits } from "./edit-shard.ts";
export { chipText, linksText } from "./figures-text.ts";
export { programHost } from "./program-host.ts";
export { createDocumentReader, type Document, readDocument } from "./read-document.ts";
export { readPlan } from "./read-plan.ts";
export { reshardSystems } from "./reshard-systems.ts";
export { type SearchChoice, searchChoice } from "./search-notes.ts";
export { withStrategyFixes } from "./strategy-fixes.ts";
export { primitiveFacts } from "./words/primitives.ts";
export { torchLayerParameters } from "./words/torch-layers.ts";
