import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { Box, Projection } from "#core/indexspace";
import type { Graph, OperatorId, TensorId } from "#core/ir";

/** Nodes of a graph as written, with the operators and tensors made from them. */
export interface GraphReading {
  /** Nodes in the order of the text. */
  readonly nodes: readonly NodeView[];
  /** Operations with sound selections, in the order of the program's operators. */
  readonly operations: readonly OperationView[];
}

/** A node with its span. */
export interface NodeView {
  readonly id: string;
  readonly kind: "Tensor" | "Operation" | "Application" | "Note";
  readonly label?: string;
  /** Span of its label's value, else of its id. */
  readonly span: Span;
  /** Span of the whole node. */
  readonly whole: Span;
  /** The tensor made from a Tensor node. */
  readonly tensor?: TensorId;
  /** The operator made from an Operation; for an Application, that of its Operation. */
  readonly operator?: OperatorId;
  /** The text of a Note. */
  readonly message?: string;
}

/** An Operation as written, with its selections and shards. */
export interface OperationView {
  readonly id: string;
  readonly operator: OperatorId;
  readonly kernel: string;
  readonly params: Readonly<Record<string, Json>>;
  /** Whether it marks where data enters or leaves the graph. */
  readonly isSequencePoint: boolean;
  /** Index space of its projections; absent when none fits them. */
  readonly index?: Box;
  /** Whether the text gives the index; otherwise it is implied, with one point per cell. */
  readonly hasIndex: boolean;
  /** Names of the index axes, as used by the operator's strategy. */
  readonly axes: readonly string[];
  /** Its annotation, as far as one can express its projections. */
  readonly annotation: string;
  /** Why index axes cannot be expressed in the annotation, one reason each; absent when all can. */
  readonly unsaid?: readonly string[];
  /** In the order of the operator's operands, inputs first. */
  readonly operands: readonly OperandView[];
  /** Its Applications, in the order of the text. */
  readonly shards: readonly ShardView[];
}

/** One selection of an operation, e.g. `tensors[1]`. */
export interface OperandView {
  readonly side: "inputs" | "outputs";
  readonly name: string;
  readonly position: number;
  readonly tensor: TensorId;
  /** Range in the tensor's own coordinates, which need not begin at 0. */
  readonly range: Box;
  /** Whether it selects the whole tensor. */
  readonly isWhole: boolean;
  /** Projection from the index to the tensor's own coordinates. */
  readonly projection?: Projection;
  readonly span: Span;
}

/** One Application of an Operation as written. */
export interface ShardView {
  readonly id: string;
  readonly label?: string;
  readonly index?: Box;
  /**
   * Range of each operand of its Operation; `undefined` when it has no selection of that operand.
   */
  readonly ranges: readonly (Box | undefined)[];
  readonly span: Span;
}

/** A graph in JSON as a graph of operators, with its nodes. */
export interface ProgramReading {
  readonly graph: Graph;
  readonly reading: GraphReading;
}

/** A part of the graph that an issue concerns. */
export interface IssueContext {
  readonly name: string;
  /** Path from the graph; nodes are identified by id, not by position. */
  readonly path?: string;
  readonly data?: Json;
}

/** An issue reported by a format's validator, in its own words. */
export interface ValidatorIssue {
  readonly type: string;
  readonly constraint: string;
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly contexts: readonly IssueContext[];
  readonly span?: Span;
}

/** One check of a validator; once one fails, the rest are not checked. */
export interface CheckStage {
  readonly constraint: string;
  readonly status: "passed" | "failed" | "not checked";
}

/** `op`: whole Operations; `app`: Operations with Applications, their shards. */
export type GraphDialect = "op" | "app";

/** Additional results for a graph in JSON: its validator's checks, and its nodes. */
export interface ImportedGraph extends GraphReading {
  readonly dialect: GraphDialect;
  readonly stages: readonly CheckStage[];
  /** Issues with their spans in the text. */
  readonly issues: readonly ValidatorIssue[];
}
