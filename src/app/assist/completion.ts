import type { Span } from "#core/diagnostics";
import type { CompletionItem } from "#systems/system";

export type { CompletionItem, CompletionKind } from "#systems/system";

/** What may stand at a place, the best first. */
export interface CompletionList {
  readonly span: Span;
  readonly items: readonly CompletionItem[];
}

export const noCompletions = (offset: number): CompletionList => ({
  span: { from: offset, to: offset },
  items: [],
});
