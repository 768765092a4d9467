import { useEffect } from "react";
import { nextProblem } from "./next-problem.ts";
import { useAppStore } from "./store-context.tsx";

/** Keys that act wherever the focus is: undo, redo, next problem, Escape. */
export function useShortcuts(): void {
  const store = useAppStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "F8") {
        event.preventDefault();
        nextProblem(store.getState(), event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape") store.getState().armAxis(undefined);
      else if (isUndo(event) && !isTyping(event.target)) {
        event.preventDefault();
        if (event.shiftKey || event.key.toLowerCase() === "y") store.getState().redo();
        else store.getState().undo();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store]);
}

function isUndo(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
}

/** Whether an element has its own undo: editors and fields. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, .monaco-editor, .cm-editor") !== null
  );
}
