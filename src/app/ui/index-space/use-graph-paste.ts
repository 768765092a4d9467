import { useEffect } from "react";
import { useActions } from "../store-context.tsx";

/** A graph that is pasted anywhere but into a field or an editor is opened beside the draft. */
export function useGraphPaste(): void {
  const { openText } = useActions();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (isField(event.target)) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!/^[\s\ufeff]*\{/.test(text)) return;
      event.preventDefault();
      openText(text);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [openText]);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, [contenteditable], .monaco-editor, .cm-editor") !== null
  );
}
