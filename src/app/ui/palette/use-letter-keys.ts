import { useEffect, useRef } from "react";
import { useAppStore } from "../store-context.tsx";

/** The action of each one-letter key; undefined where it has none at the moment. */
export type LetterKeys = Readonly<Record<string, (() => void) | undefined>>;

/**
 * Keys without Ctrl that act wherever nothing is typed, unless the settings switch them off
 * (WCAG 2.1.4): after a press of a button too, which keeps the focus.
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
      if (event.defaultPrevented || !isFree(event.target)) return;
      const act = current.current[event.key.toLowerCase()];
      if (act === undefined || isSpaceTaken(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store]);
}

/**
 * The space bar presses the focused element, except on the graph, where Enter does; beside the
 * drawing it scrolls.
 */
function isSpaceTaken({ key, target }: KeyboardEvent): boolean {
  if (key !== " " || !(target instanceof Element)) return false;
  const pressable = target.closest("button, a, summary, [role=button], [role=treeitem]");
  if (pressable !== null) return !pressable.hasAttribute("data-node");
  return target !== document.body && target.closest("main, .lesson, .dims") === null;
}

/** Elements in which letters are typed or choose an item, and overlays of the page. */
const withLettersOfItsOwn = [
  ...["input:not([type=radio])", ".lesson input", "textarea", "select"],
  ...["dialog", "[role=dialog]", "[role=menu]", ".monaco-editor", ".cm-editor"],
].join(", ");

function isFree(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(withLettersOfItsOwn) === null;
}
