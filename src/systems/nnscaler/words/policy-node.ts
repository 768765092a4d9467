import type { Span } from "#core/diagnostics";
import type { Piece } from "#core/dimops";
import type { Level, TracedOperator } from "#language/document/words";

/** A node of the graph as a policy sees it: an operator, or a piece of one. */
export interface PolicyNode {
  readonly operator: TracedOperator;
  /** Absent while sizes are still open. */
  readonly piece: Piece | undefined;
  readonly devices: number[];
  /** Where the number of pieces stands, of which this is one. */
  readonly countSpan?: Span;
  cut?: { readonly level: Level; readonly pieces: readonly PolicyNode[]; readonly span: Span };
}
