import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  startCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { EditorEvents } from "./editor.ts";

/** Completions as the worker gives them, while a finger types. */
export function offerCompletions(ask: EditorEvents["ask"]): Extension {
  return autocompletion({
    override: [(context) => completionsAt(context, ask)],
    icons: false,
    activateOnTyping: true,
    activateOnTypingDelay: 150,
  });
}

/** Behind `k=` its values are offered at once. */
function withValues(insert: string) {
  return (view: EditorView, _item: Completion, from: number, to: number) => {
    view.dispatch(insertCompletionText(view.state, insert, from, to));
    startCompletion(view);
  };
}

async function completionsAt(
  context: CompletionContext,
  ask: EditorEvents["ask"],
): Promise<CompletionResult | null> {
  const { pos, explicit, state } = context;
  // An answer that comes after another edit is dropped, and no new one would be asked for.
  context.addEventListener("abort", () => {}, { onDocChange: true });
  const before = state.sliceDoc(Math.max(0, pos - 1), pos);
  if (!explicit && !/[\p{L}\p{N}_"'.=]/u.test(before)) return null;
  const reply = await ask({ kind: "complete", offset: pos });
  if (reply?.kind !== "complete" || context.aborted || reply.list.items.length === 0) return null;
  const { span, items } = reply.list;
  return {
    from: span.from,
    to: Math.max(span.to, span.from),
    validFor: /^[\p{L}\p{N}_]*$/u,
    options: items.map(({ label, insert, detail }, index) => ({
      label,
      apply: insert.endsWith("=") ? withValues(insert) : insert,
      detail,
      boost: -Math.min(index, 99),
    })),
  };
}
