export {
  type CheckOptions,
  checkLoom,
  type Dialect,
  type LoomCheck,
  readLoom,
  type Stage,
} from "./check-loom.ts";
export type { LoomDocument } from "./document.ts";
export { defaultDtypes, loomDtypes } from "./dtypes.ts";
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
export type { Issue, IssueContext, IssueType } from "./issue.ts";
export { writeLoom } from "./write-loom.ts";
