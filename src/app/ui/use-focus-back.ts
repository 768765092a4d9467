import { type RefObject, useEffect } from "react";

/** Focuses a panel while it is open, then returns the focus to the element that had it before. */
export function useFocusBack(panel: RefObject<HTMLElement | null>, isOpen = true): void {
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [panel, isOpen]);
}
