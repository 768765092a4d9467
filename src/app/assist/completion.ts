import type { Span } from "#core/diagnostics";

/** What a completion offers, for its icon and its order. */
export type CompletionKind =
  | "axis"
  | "count"
  | "identifier"
  | "tensor"
  | "parameter"
  | "word"
  | "operator"
  | "name"
  | "dtype";

/** One entry of a list: its text replaces the span of the list. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly insert: string;
  /** Beside the label: an annotation, a size, a change in bytes and seconds. */
  readonly detail: string;
  readonly meaning?: string;
  /** What is typed to find it, where that is not `insert`. */
  readonly filter?: string;
}

/** What may stand at a place, the best first. */
export interface CompletionList {
  readonly span: Span;
  readonly items: readonly CompletionItem[];
}

export const noCompletions = (offset: number): CompletionList => ({
  span: { from: offset, to: offset },
  items: [],
});
