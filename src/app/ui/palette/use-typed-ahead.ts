import { useCallback, useEffect, useRef } from "react";
import { useAppStore } from "../store-context.tsx";

/** Takes the letters typed so far; a second call gets none of them. */
export type TakeTyped = () => string;

/**
 * Keeps letters that are typed between the request of the palette and its appearance: while its
 * code is loading, nothing else should get them.
 */
export function useTypedAhead(): TakeTyped {
  const store = useAppStore();
  const typed = useRef("");
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { sheet, openSheet } = store.getState();
      if (sheet !== "palette") typed.current = "";
      if (sheet !== "palette" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog.palette") !== null) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") openSheet(undefined);
      else typed.current = after(typed.current, event.key);
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, [store]);
  return useCallback(() => {
    const taken = typed.current;
    typed.current = "";
    return taken;
  }, []);
}

function after(text: string, key: string): string {
  if (key === "Backspace") return text.slice(0, -1);
  return key.length === 1 ? text + key : text;
}
