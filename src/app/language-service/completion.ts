import type { CompletionList } from "#systems/system";

export type { CompletionItem, CompletionKind, CompletionList } from "#systems/system";

export const noCompletions = (offset: number): CompletionList => ({
  span: { from: offset, to: offset },
  items: [],
});
