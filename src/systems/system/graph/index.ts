// A system's format of graphs in JSON.

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
export { /** @internal */ formatOf, type GraphRead, type GraphSource } from "./graph-source.ts";
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
