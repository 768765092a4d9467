export {
  type CheckOptions,
  checkLoom,
  type Dialect,
  type LoomCheck,
  readLoom,
  type Stage,
} from "./check-loom.ts";
export type { LoomDocument, Side } from "./document.ts";
export { drawnPieces } from "./drawn-pieces.ts";
export { defaultDtypes } from "./dtypes.ts";
export { /** @internal */ editNode, /** @internal */ removeFromNode } from "./edit-loom.ts";
export { completeLoom } from "./explain/complete.ts";
export { allowDtype, allowedDtypes, wrongDtype } from "./explain/dtypes.ts";
export { type LoomFacts, loomFactsOf } from "./explain/facts.ts";
export { definitionInLoom, hoverLoom } from "./explain/hover.ts";
export { type LoomForm, /** @internal */ loomOfAnnotation } from "./from-dimops.ts";
export type {
  ApplicationNode,
  LoomGraph,
  LoomId,
  LoomNode,
  NoteNode,
  OperationNode,
  ProjectionMap,
  Selection,
  SelectionMap,
  Signature,
  Tags,
  TensorNode,
} from "./graph.ts";
export { gridOfShards, type ShardGrid } from "./grid-of-shards.ts";
export { isLoomText } from "./is-loom-text.ts";
export type { Issue, IssueContext, IssueType, PlacedIssue } from "./issue.ts";
export { leaveOut } from "./leave-out.ts";
export type { PlannedOperation } from "./planned-operation.ts";
export { readProgram } from "./read-program.ts";
export type {
  LoomNodeView,
  LoomOperandView,
  LoomOperationView,
  LoomProgram,
  LoomReading,
  LoomShardView,
} from "./reading.ts";
export { type ReshardedText, reshardText } from "./reshard-text.ts";
export { shardProgram } from "./shard-program.ts";
export type { ReductionSplit } from "./split-reduction.ts";
export { inTwoStages } from "./split-stages.ts";
export { type AnnotationOfSignature, annotationOf } from "./to-dimops.ts";
export { writeLoom, writeNodes } from "./write-loom.ts";
export { loomOfProgram } from "./write-program.ts";
