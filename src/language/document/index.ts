// A text read as a document.

export type { AxisLists } from "./axes-text.ts";
export { programHost } from "./program-host.ts";
export type { ProgramLines } from "./program-lines.ts";
export { createDocumentReader, type Document, readDocument } from "./read-document.ts";
export { type BesidePlan, readPlan } from "./read-plan.ts";
export type { ReadingSystem } from "./system.ts";
export type { TextChoice } from "./trace.ts";

// What is said about a document beside its own diagnostics.

export { type BodyFinding, bodyDiagnostics } from "./body-diagnostics.ts";
export { drawnInstead } from "./drawn-instead.ts";
export { withStrategyFixes } from "./strategy-fixes.ts";

// The words of a plan as text.

export { chipText, linksText, ownHardwareText } from "./figures-text.ts";
export { cutsText, planTextOf, quoted, writtenAxes } from "./plan-text.ts";

// Edits: strategies, layouts and redistributions.

export { callArguments } from "./call-arguments.ts";
export {
  callEdits,
  layoutCallEdits,
  layoutText,
  placeEdits,
  strategyEdits,
  tupleEdits,
} from "./edit.ts";
export { mergedEdits, patternOf, placeWays, strategyWays } from "./edit-alike.ts";
export { carryEdits } from "./edit-carry.ts";
export { reshardEdits } from "./edit-reshard.ts";
export { layoutEdits, partitionEdits } from "./edit-shard.ts";

// Edits: the mesh.

export {
  axisRemovalEdits,
  listsDevices,
  meshEdits,
  newMeshEdits,
  writtenMeshOf,
} from "./edit-mesh.ts";
export type { WantedMesh } from "./mesh-settings.ts";

// What stands in the text already.

export {
  linesEdit,
  planLinesAt,
  statementRemoval,
  targetAt,
  type WrittenCall,
  writtenPlaces,
  writtenStrategies,
} from "./edit-calls.ts";
