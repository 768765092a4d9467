import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { Box, Projection } from "#core/indexspace";
import type { Graph, OperatorId, TensorId } from "#core/ir";
import type { Side } from "./document.ts";
import type { LoomId, LoomNode } from "./graph.ts";

/** The nodes of a LoomGraph as the text has them, with what they are in the program. */
export interface LoomReading {
  /** In the order of the text. */
  readonly nodes: readonly LoomNodeView[];
  /** Operations whose selections are sound, in the order of the program's operators. */
  readonly operations: readonly LoomOperationView[];
}

/** A node with its place. */
export interface LoomNodeView {
  readonly id: LoomId;
  readonly kind: LoomNode["kind"];
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

/** An Operation in Loom's own coordinates, with its selections and shards. */
export interface LoomOperationView {
  readonly id: LoomId;
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
  readonly operands: readonly LoomOperandView[];
  /** Its Applications, in the order of the text. */
  readonly shards: readonly LoomShardView[];
}

/** One selection of an operation, e.g. `tensors[1]`. */
export interface LoomOperandView {
  readonly side: Side;
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
export interface LoomShardView {
  readonly id: LoomId;
  readonly label?: string;
  readonly index?: Box;
  /** By operand of its operation; missing where the shard lacks the selection. */
  readonly ranges: readonly (Box | undefined)[];
  readonly span: Span;
}

/** A LoomGraph as a program, and how its parts correspond. */
export interface LoomProgram {
  readonly graph: Graph;
  readonly reading: LoomReading;
}
