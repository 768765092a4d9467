import { useEffect, useRef } from "react";
import { useAppStore } from "../store-context.tsx";

/** The action of each one-letter key; undefined where it has none at the moment. */
export type LetterKeys = Readonly<Record<string, (() => void) | undefined>>;

/**
 * Keys without Ctrl that act while the canvas, a lesson, dims or nothing has the focus, unless the settings switch
 * them off (WCAG 2.1.4).
 */
export function useLetterKeys(keys: LetterKeys): void {
  const store = useAppStore();
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { settings, sheet } = store.getState();
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (!settings.hasLetterKeys || sheet !== undefined || hasModifier) return;
      if (event.defaultPrevented || !isOnCanvas(event.target)) return;
      const act = current.current[event.key.toLowerCase()];
      if (act === undefined || isPressed(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store]);
}

/** The space bar presses what has the focus, but for the graph, where Enter does. */
function isPressed({ key, target }: KeyboardEvent): boolean {
  if (key !== " " || !(target instanceof Element)) return false;
  const pressable = target.closest("button, a, summary, [role=button], [role=treeitem]");
  return pressable !== null && !pressable.hasAttribute("data-node");
}

function isOnCanvas(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (
    target.closest(
      "input:not([type=radio]), .lesson input, textarea, select, dialog, .monaco-editor, .cm-editor",
    ) !== null
  ) {
    return false;
  }
  return target === document.body || target.closest("main, .lesson, .dims") !== null;
}
