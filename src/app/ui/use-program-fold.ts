import { useEffect, useRef } from "react";
import type { AppState } from "#app/state";
import type { Screen } from "./screen.ts";
import { useApp, useAppStore } from "./store-context.tsx";

/**
 * Whether the program is folded away beside the canvas of a wide window. Ctrl+B folds and unfolds
 * it wherever the focus is, and the drawer of narrower windows likewise; showing a place of the
 * text unfolds it.
 */
export function useProgramFold(screen: Screen): boolean {
  const store = useAppStore();
  const isFolded = useApp((state) => state.settings.isProgramFolded);
  const revealed = useApp((state) => state.revealed);
  const seen = useRef(revealed);
  useEffect(() => {
    if (revealed === seen.current) return;
    seen.current = revealed;
    const { settings, set } = store.getState();
    if (settings.isProgramFolded) set({ isProgramFolded: false });
  }, [revealed, store]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hasModifier = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!hasModifier || event.key.toLowerCase() !== "b" || screen === "tablet") return;
      event.preventDefault();
      event.stopPropagation();
      const state = store.getState();
      if (screen === "drawer") state.openDrawer(!state.isDrawerOpen);
      else foldProgram(state);
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, [store, screen]);
  return screen === "wide" && isFolded;
}

/** Folds or unfolds the program; the button that undoes that gets the focus. */
export function foldProgram({ settings, set }: Pick<AppState, "settings" | "set">): void {
  set({ isProgramFolded: !settings.isProgramFolded });
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>("[data-fold=program]")?.focus({ preventScroll: true }),
  );
}
