export {
  type Answer,
  type Arguments,
  badRequest,
  type CommandTools,
  type SystemCommand,
} from "./answer.ts";
export { type Edge, type EdgeFigures, edgesIn } from "./edge.ts";
export type { EmittedCollective, EmittedProgram } from "./emitted.ts";
export type {
  CompletionItem,
  CompletionKind,
  CompletionList,
  ExplainedText,
  Hover,
  Signature,
  SystemExplains,
} from "./explain.ts";
export { gradientName, gradientsIn, type OwnGradient } from "./gradients.ts";
export type {
  ExplainedGraph,
  GraphDocuments,
  GraphEdit,
  GraphFormat,
  GraphWords,
  PlannedGraph,
  ReadGraphOptions,
  WriteGraphOptions,
  WrittenGraph,
} from "./graph-format.ts";
export { type GroupHop, type Held, type HeldBy, heldAfter, heldAtFirst } from "./held.ts";
export type {
  CheckStage,
  GraphDialect,
  GraphReading,
  ImportedGraph,
  IssueContext,
  NodeView,
  OperationView,
  ProgramReading,
  ShardView,
} from "./imported-graph.ts";
export {
  namedAs,
  nothingSent,
  outcomeOf,
  type PlannedOutcome,
  type PolicyList,
  type PolicyOutcome,
  type PolicyStep,
  type ReshardingSystem,
  systemReshard,
} from "./outcome.ts";
export type { EdgeReason, EdgeRow, OperatorRow, SystemRow } from "./row.ts";
export { allowedText, type ForbiddingRule, ruleSentence, type SystemRules } from "./rule.ts";
export type { ProgramRead, SystemChoice, SystemChoices, SystemRuns } from "./run.ts";
export { sampleAnnotation, signatureTable } from "./signature.ts";
export type { PlannedProgram, System } from "./system.ts";
export { axesText, counted } from "./texts.ts";
export { countedRows, walkProgram } from "./walk.ts";
export { type Cause, does, movesPieces, sameAsOurs, whyItDiffers } from "./why.ts";
export { blockText, boxText, type IndexRun, type WrongDevice, type WrongStep } from "./wrong.ts";
