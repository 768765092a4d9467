import { useEffect } from "react";
import { type AppStore, diagnosticsOf } from "#app/state";
import { useAppStore } from "./store-context.tsx";

/** Keys that act wherever the focus is: undo, redo, next problem, Escape. */
export function useShortcuts(): void {
  const store = useAppStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "F8") {
        event.preventDefault();
        showNextProblem(store, event.shiftKey ? -1 : 1);
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

function showNextProblem(store: AppStore, step: 1 | -1): void {
  const state = store.getState();
  const spans = diagnosticsOf(state)
    .flatMap(({ span }) => (span === undefined ? [] : [span]))
    .sort((a, b) => a.from - b.from);
  if (spans.length === 0) return;
  const at = spans.findIndex((span) => span === state.revealed?.span);
  const next = at < 0 ? 0 : (at + step + spans.length) % spans.length;
  const span = spans[next];
  if (span !== undefined) state.reveal(span);
}

function isUndo(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
}

/** Editors and fields have their own undo. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, .monaco-editor, .cm-editor") !== null
  );
}
