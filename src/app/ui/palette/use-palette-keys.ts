import { useEffect } from "react";
import { useAppStore } from "../store-context.tsx";

/** Ctrl+K or Cmd+K, and Ctrl+Shift+P: open and close the palette wherever the focus is. */
export function usePaletteKeys(): void {
  const store = useAppStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const { sheet, openSheet } = store.getState();
      openSheet(sheet === "palette" ? undefined : "palette");
    };
    // In the capture phase, before the editor, which has chords that begin with Ctrl+K.
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, [store]);
}

function isPaletteKey(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  const key = event.key.toLowerCase();
  return event.shiftKey ? key === "p" : key === "k";
}
