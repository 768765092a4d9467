import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { Box, Projection } from "#core/indexspace";
import type { Graph, OperatorId, TensorId } from "#core/ir";

/** The nodes of a graph as its text has them, with what they are in the program. */
export interface GraphReading {
  /** In the order of the text. */
  readonly nodes: readonly NodeView[];
  /** Operations whose selections are sound, in the order of the program's operators. */
  readonly operations: readonly OperationView[];
}

/** A node with its place. */
export interface NodeView {
  readonly id: string;
  readonly kind: "Tensor" | "Operation" | "Application" | "Note";
  readonly label?: string;
  /** The few words by which a reader knows it: the value of its label, else of its id. */
  readonly span: Span;
  /** All of it. */
  readonly whole: Span;
  /** What a Tensor is in the program. */
  readonly tensor?: TensorId;
  /** What an Operation is in the program; of an Application the operator that it is a shard of. */
  readonly operator?: OperatorId;
  /** What a Note says. */
  readonly message?: string;
}

/** An Operation in the coordinates of its text, with its selections and shards. */
export interface OperationView {
  readonly id: string;
  readonly operator: OperatorId;
  readonly kernel: string;
  readonly params: Readonly<Record<string, Json>>;
  /** Marks where data enters or leaves the graph. */
  readonly isSequencePoint: boolean;
  /** The index that its projections start from; absent where it has none that fits them. */
  readonly index?: Box;
  /** Whether the text gives the index; else it is implied, with a point per cell. */
  readonly hasIndex: boolean;
  /** The names of the index axes, as the operator's strategy uses them. */
  readonly axes: readonly string[];
  /** As far as an annotation can say it. */
  readonly annotation: string;
  /** Of each index axis that has no form in an annotation, why; absent where all have one. */
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

/** One shard as the text gives it. */
export interface ShardView {
  readonly id: string;
  readonly label?: string;
  readonly index?: Box;
  /** By operand of its operation; missing where the shard lacks the selection. */
  readonly ranges: readonly (Box | undefined)[];
  readonly span: Span;
}

/** A graph as a program, and how its parts correspond. */
export interface ProgramReading {
  readonly graph: Graph;
  readonly reading: GraphReading;
}

/** What a part of a document has to do with an issue. */
export interface IssueContext {
  readonly name: string;
  /** From the graph on; nodes are named by id, not by position. */
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

/** One check of a validator: those behind one that found something are not asked. */
export interface CheckStage {
  readonly constraint: string;
  readonly status: "passed" | "failed" | "not checked";
}

/** Whole operations only, or operations with their shards. */
export type GraphDialect = "op" | "app";

/** What a text that is a graph has beside a program: its checks, and its nodes. */
export interface ImportedGraph extends GraphReading {
  readonly dialect: GraphDialect;
  readonly stages: readonly CheckStage[];
  /** With their places in the text. */
  readonly issues: readonly ValidatorIssue[];
}
