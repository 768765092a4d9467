import type { CompletionList } from "#systems/system/explain";

export type { CompletionItem, CompletionKind, CompletionList } from "#systems/system/explain";

export const noCompletions = (offset: number): CompletionList => ({
  span: { from: offset, to: offset },
  items: [],
});
