import { useEffect } from "react";
import type { Actions, AppStore } from "#app/state";
import { openGiven } from "../export/open-given.ts";
import { useActions, useAppStore } from "../store-context.tsx";

/**
 * The beginnings of texts that are no programs: a graph in JSON, or a format of another project.
 */
const begins = /^[\s\ufeff]*(?:\{|module\b|#loc|HloModule\b)/u;
/** A word that settings of trainers and servers have. */
const tells = /parallel|zero_optimization|distributed_type|--(?:tp|dp|pp|ep)\b/u;

/**
 * Reads a paste. Pasted over the whole program or outside of fields, a published text becomes a
 * program, and a graph in JSON opens beside the draft; a picture with a plan opens it. A trainer's
 * settings, pasted outside the editor, change the program. A paste into a part of the program stays
 * as it is.
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

/** A copied picture of a plan, or the file of one, opens the plan. */
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

/** The editor inserts the paste before this looks at it. */
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
