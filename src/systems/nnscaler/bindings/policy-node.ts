import type { Span } from "#core/diagnostics";
import type { Piece } from "#core/dimops";
import type { Level, TracedOperator } from "#language/document/trace";

/** What nnScaler's graph has beside the operators of the program. */
export type NodeKind = "operator" | "data" | "multiref" | "identity" | "anchor";

/** A node of the graph as a policy sees it: an operator, a piece of one, or one that nnScaler adds. */
export interface PolicyNode {
  readonly kind: NodeKind;
  readonly name: string;
  /** Absent for nodes that nnScaler adds. */
  readonly operator?: TracedOperator | undefined;
  /** Absent while sizes are still open. */
  readonly piece: Piece | undefined;
  readonly devices: number[];
  /** For a piece: the place of the number of pieces in the text. */
  readonly countSpan?: Span;
  cut?: { readonly level: Level; readonly pieces: readonly PolicyNode[]; readonly span: Span };
}

/** The pieces of a node that are not cut further, in order. */
export function leavesOf(node: PolicyNode): readonly PolicyNode[] {
  return node.cut === undefined ? [node] : node.cut.pieces.flatMap(leavesOf);
}

/** A copy of a node that stands for itself, whole or as a piece. */
export function pieceOf(node: PolicyNode, piece: Piece | undefined): PolicyNode {
  const { kind, name, operator } = node;
  return { kind, name, operator, piece, devices: [] };
}

/** Operators that nnScaler traces as functions of its own, which it can split. */
const wrapped: ReadonlySet<string> = new Set(["batch_norm", "instance_norm"]);

/**
 * Whether nnScaler has the function of a node but no annotation of it: the node is a plain
 * `IRFwOperation`, which no algorithm splits.
 */
export function isUnannotated({ operator }: PolicyNode): boolean {
  if (operator?.isReplicated !== true || wrapped.has(operator.op)) return false;
  return operator.function === undefined && operator.entry !== undefined;
}
