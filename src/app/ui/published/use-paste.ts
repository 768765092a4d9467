import { useEffect } from "react";
import type { Actions, AppStore } from "#app/state";
import { openGiven } from "../export/open-given.ts";
import { useActions, useAppStore } from "../store-context.tsx";

/** Start of texts that are not programs: a graph in JSON, or a published text. */
const begins = /^[\s\ufeff]*(?:\{|module\b|#loc|HloModule\b)/u;
/** Words that occur in settings of trainers and servers. */
const tells = /parallel|zero_optimization|distributed_type|--(?:tp|dp|pp|ep)\b/u;

/**
 * Handles pasted texts and pictures. A published text that is pasted over the whole program, or
 * outside all fields, becomes a program, and a graph in JSON is opened beside the draft. A picture
 * with a plan opens it. Trainer settings that are pasted outside the editor change the program. A
 * paste inside a program is left to the editor.
 */
export function usePaste(): void {
  const actions = useActions();
  const store = useAppStore();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text === "" && openPicture(actions, event)) return;
      const isPublished = begins.test(text);
      if (isEditor(event.target)) {
        if (isPublished) replaceLater(actions, store, text);
      } else if ((isPublished || tells.test(text)) && !isField(event.target)) {
        event.preventDefault();
        void openPasted(actions, text);
      }
    };
    document.addEventListener("paste", onPaste, true);
    return () => document.removeEventListener("paste", onPaste, true);
  }, [actions, store]);
}

/** Opens the plan of a pasted picture, from its link or its file; returns whether there was one. */
function openPicture(actions: Actions, event: ClipboardEvent): boolean {
  const { clipboardData, target } = event;
  if (clipboardData === null || (isField(target) && !isEditor(target))) return false;
  const link = /<img [^>]*alt="[^"]*?(#p=[\w.&;=%,:-]+)"/.exec(clipboardData.getData("text/html"));
  const [file] = clipboardData.files;
  if (link?.[1] !== undefined) actions.openText(link[1].replaceAll("&amp;", "&"));
  else if (file !== undefined) void openGiven(actions, file);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

function givenOf(text: string) {
  return { name: "the pasted text", content: new Blob([text]) };
}

async function openPasted(actions: Actions, text: string): Promise<void> {
  if (actions.openLessonText(text)) return;
  if (await actions.openPublished(givenOf(text))) return;
  if (await actions.applySettings(givenOf(text))) return;
  if (/^[\s\ufeff]*\{/u.test(text)) actions.openText(text);
}

/** Opens a text that was pasted over the whole program, after the editor has inserted it. */
function replaceLater({ openPublished }: Actions, store: AppStore, text: string): void {
  setTimeout(() => {
    const { source } = store.getState().document;
    if (source.trim() === text.trim()) void openPublished(givenOf(text), { isInText: true });
  });
}

function isEditor(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".monaco-editor, .cm-editor") !== null;
}

function isField(target: EventTarget | null): boolean {
  const fields = "input, textarea, [contenteditable]";
  return target instanceof Element && target.closest(fields) !== null;
}
