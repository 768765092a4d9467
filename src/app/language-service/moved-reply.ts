import type { Span } from "#core/diagnostics";
import type { LanguageReply } from "./request.ts";

/** Maps an offset of one text to the same place in another. */
export type Move = (offset: number) => number;

/**
 * A reply with its spans shifted into another text, such as from the part of a text that an editor
 * shows.
 */
export function movedReply(reply: LanguageReply, by: Move): LanguageReply {
  switch (reply.kind) {
    case "hover":
      return reply.hover === undefined ? reply : { ...reply, hover: withSpan(reply.hover, by) };
    case "complete":
      return { ...reply, list: withSpan(reply.list, by) };
    case "definition":
      return reply.span === undefined ? reply : { ...reply, span: moved(reply.span, by) };
    case "actions": {
      const actions = reply.actions.map(({ title, edits }) => ({
        title,
        edits: edits.map((edit) => ({ ...edit, ...moved(edit, by) })),
      }));
      return { ...reply, actions };
    }
    case "rename-target": {
      const { target } = reply;
      return target.ok ? { ...reply, target: withSpan(target, by) } : reply;
    }
    case "rename": {
      const { outcome } = reply;
      if (!outcome.ok) return reply;
      const edits = outcome.edits.map((edit) => ({ ...edit, ...moved(edit, by) }));
      return { ...reply, outcome: { ...outcome, edits } };
    }
    case "folds":
      return { ...reply, folds: reply.folds.map((fold) => ({ ...fold, ...moved(fold, by) })) };
    case "words":
      return { ...reply, words: reply.words.map((word) => ({ ...word, ...moved(word, by) })) };
    case "signature":
    case "graph":
    case "edit-graph":
    case "apply-settings":
      return reply;
  }
}

function withSpan<T extends { readonly span: Span }>(value: T, by: Move): T {
  return { ...value, span: moved(value.span, by) };
}

function moved({ from, to }: Span, by: Move): Span {
  return { from: by(from), to: by(to) };
}
