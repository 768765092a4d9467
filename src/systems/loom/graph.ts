import type { Json } from "#core/dimops";
import type { Box, Projection } from "#core/indexspace";
import type { NodeKind } from "./uris.ts";

/** The id of a node, in lower case: ids compare without case. */
export type LoomId = string & { readonly brand: "LoomId" };

/** The id for a UUID text. */
export function loomId(text: string): LoomId {
  return text.toLowerCase() as LoomId;
}

/** A Loom document: tensors, operations, and in the application dialect their shards and notes. */
export interface LoomGraph {
  readonly id: LoomId;
  /** Nodes in the order of the document, which carries no meaning. */
  readonly nodes: readonly LoomNode[];
}

export type LoomNode = TensorNode | OperationNode | ApplicationNode | NoteNode;

interface NodeBase<Kind extends NodeKind> {
  readonly kind: Kind;
  readonly id: LoomId;
  readonly label?: string;
  readonly tags: Tags;
}

/** A tensor: the cells of a range, which need not start at 0. */
export interface TensorNode extends NodeBase<"Tensor"> {
  readonly dtype: string;
  readonly range: Box;
}

/** An operation as a whole. */
export interface OperationNode extends NodeBase<"Operation">, Selections {
  readonly kernel: string;
  readonly params: ReadonlyMap<string, Json>;
}

/** One shard of an operation. */
export interface ApplicationNode extends NodeBase<"Application">, Selections {
  readonly operationId: LoomId;
}

export interface NoteNode extends NodeBase<"Note"> {
  readonly message: string;
}

/** Ranges of tensors that a node reads and writes. */
export interface Selections {
  readonly inputs: SelectionMap;
  readonly outputs: SelectionMap;
}

/** Selections by name, in order under each name. */
export type SelectionMap = ReadonlyMap<string, readonly Selection[]>;

/** A part of a tensor. */
export interface Selection {
  readonly tensorId: LoomId;
  readonly range: Box;
}

/** Tags that Loom knows; any of them may occur on any node. */
export interface Tags {
  readonly signature?: Signature;
  readonly index?: Box;
  readonly isSequencePoint?: boolean;
}

/** One index projection function per selection. */
export interface Signature {
  readonly inputs: ProjectionMap;
  readonly outputs: ProjectionMap;
}

export type ProjectionMap = ReadonlyMap<string, readonly Projection[]>;
