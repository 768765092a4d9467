import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { Box, Projection } from "#core/indexspace";
import type { Graph, OperatorId, TensorId } from "#core/ir";

/** The nodes of a graph as written, with the operators and tensors that they became. */
export interface GraphReading {
  /** In the order of the text. */
  readonly nodes: readonly NodeView[];
  /** Operations whose selections are sound, in the order of the program's operators. */
  readonly operations: readonly OperationView[];
}

/** A node with its span. */
export interface NodeView {
  readonly id: string;
  readonly kind: "Tensor" | "Operation" | "Application" | "Note";
  readonly label?: string;
  /** The value of its label, else of its id. */
  readonly span: Span;
  /** The whole node. */
  readonly whole: Span;
  /** The tensor that a Tensor node became. */
  readonly tensor?: TensorId;
  /** The operator that an Operation became; of an Application that of its Operation. */
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
  /** Marks where data enters or leaves the graph. */
  readonly isSequencePoint: boolean;
  /** The index space of its projections; absent where none fits them. */
  readonly index?: Box;
  /** Whether the text gives the index; else it is implied, with one point per cell. */
  readonly hasIndex: boolean;
  /** The names of the index axes, as the operator's strategy uses them. */
  readonly axes: readonly string[];
  /** Its annotation, as far as one can express its projections. */
  readonly annotation: string;
  /**
   * Why index axes cannot be expressed in the annotation, one reason each; absent where all can.
   */
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
  /** In the tensor's own coordinates, which need not begin at 0. */
  readonly range: Box;
  /** Whether it is all of the tensor. */
  readonly isWhole: boolean;
  /** From the index to the tensor's own coordinates. */
  readonly projection?: Projection;
  readonly span: Span;
}

/** One Application of an Operation as written. */
export interface ShardView {
  readonly id: string;
  readonly label?: string;
  readonly index?: Box;
  /** The range of each operand of its Operation; `undefined` where it has no selection of one. */
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
  /** Its path from the graph; nodes are identified by id, not by position. */
  readonly path?: string;
  readonly data?: Json;
}

/** What the validator of a format reports, in its own words. */
export interface ValidatorIssue {
  readonly type: string;
  readonly constraint: string;
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly contexts: readonly IssueContext[];
  readonly span?: Span;
}

/** One check of a validator; after a failed one the rest are not checked. */
export interface CheckStage {
  readonly constraint: string;
  readonly status: "passed" | "failed" | "not checked";
}

/** `op`: whole Operations; `app`: Operations with Applications, their shards. */
export type GraphDialect = "op" | "app";

/** What a graph in JSON has beyond a program: its validator's checks, and its nodes. */
export interface ImportedGraph extends GraphReading {
  readonly dialect: GraphDialect;
  readonly stages: readonly CheckStage[];
  /** With their spans in the text. */
  readonly issues: readonly ValidatorIssue[];
}
