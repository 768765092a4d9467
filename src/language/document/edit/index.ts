// Edits of a document's text, and plan statements as text.

export { behindImports } from "./behind-imports.ts";
export {
  callEdits,
  layoutCallEdits,
  layoutText,
  placeEdits,
  strategyEdits,
  tupleEdits,
} from "./edit.ts";
export { mergedEdits, patternOf, placeWays, strategyWays } from "./edit-alike.ts";
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
export { keywordEdits } from "./edit-keywords.ts";
export {
  axisRemovalEdits,
  listsDevices,
  meshEdits,
  newMeshEdits,
  writtenMeshOf,
} from "./edit-mesh.ts";
export { reshardEdits } from "./edit-reshard.ts";
export { layoutEdits, partitionEdits } from "./edit-shard.ts";
export { chipText, linksText, ownHardwareText } from "./figures-text.ts";
export { cutsText, planTextOf, quoted, writtenAxes } from "./plan-text.ts";
export { withStrategyFixes } from "./strategy-fixes.ts";
