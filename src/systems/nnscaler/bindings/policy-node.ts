import type { Span } from "#core/diagnostics";
import type { Piece } from "#core/dimops";
import type { Level, TracedOperator } from "#language/document/trace";

/** Kinds of nodes in nnScaler's graph: operators of the program, and nodes that nnScaler adds. */
export type NodeKind = "operator" | "data" | "multiref" | "identity" | "anchor";

/** A node of the graph as a policy sees it: an operator, a piece of one, or one that nnScaler adds. */
export interface PolicyNode {
  readonly kind: NodeKind;
  readonly name: string;
  /** Undefined for nodes that nnScaler adds. */
  readonly operator?: TracedOperator | undefined;
  /** Undefined while sizes are still open. */
  readonly piece: Piece | undefined;
  readonly devices: number[];
  /** For a piece: span of the number of pieces in the text. */
  readonly countSpan?: Span;
  cut?: { readonly level: Level; readonly pieces: readonly PolicyNode[]; readonly span: Span };
}

/** The leaves of a nested partition: pieces that are not cut further, in order. */
export function leavesOf(node: PolicyNode): readonly PolicyNode[] {
  return node.cut === undefined ? [node] : node.cut.pieces.flatMap(leavesOf);
}

/** A new node for a piece or a replica of a node. */
export function pieceOf(node: PolicyNode, piece: Piece | undefined): PolicyNode {
  const { kind, name, operator } = node;
  return { kind, name, operator, piece, devices: [] };
}

/** Operators that nnScaler traces as its own functions, which it can split. */
const wrapped: ReadonlySet<string> = new Set(["batch_norm", "instance_norm"]);

/**
 * Whether nnScaler knows the function of a node but has no annotation for it: the node is then a
 * plain `IRFwOperation`, which no algorithm splits.
 */
export function isUnannotated({ operator }: PolicyNode): boolean {
  if (operator?.isReplicated !== true || wrapped.has(operator.op)) return false;
  return operator.function === undefined && operator.entry !== undefined;
}
