import * as monaco from "monaco-editor/editor";
import type { Fix } from "#core/diagnostics";
import type { EditorEvents } from "./editor.ts";
import { languageId } from "./monaco-language.ts";

/**
 * Code actions for the redistributions of one text. Trying them takes time, so they are computed
 * when the list is opened, not at every place of the caret.
 */
export function offerActions(
  model: monaco.editor.ITextModel,
  { ask, onFix }: Pick<EditorEvents, "ask" | "onFix">,
): monaco.IDisposable {
  const command = `shardboard.act.${model.id}`;
  const registered = monaco.editor.registerCommand(command, (_services, fix: Fix) => onFix(fix));
  const provider = monaco.languages.registerCodeActionProvider(languageId, {
    provideCodeActions: async (asked, range, { trigger }) => {
      const isAsked = trigger === monaco.languages.CodeActionTriggerType.Invoke;
      if (asked !== model || !isAsked) return none;
      const offset = model.getOffsetAt(range.getEndPosition());
      const reply = await ask({ kind: "actions", offset });
      if (reply?.kind !== "actions") return none;
      const actions = reply.actions.map((fix) => ({
        title: fix.title,
        kind: "quickfix",
        command: { id: command, title: fix.title, arguments: [fix] },
      }));
      return { actions, dispose: () => {} };
    },
  });
  return {
    dispose: () => {
      provider.dispose();
      registered.dispose();
    },
  };
}

const none: monaco.languages.CodeActionList = { actions: [], dispose: () => {} };
