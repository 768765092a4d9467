import { type RefObject, useEffect } from "react";

/** A panel has the focus while it is open, and gives it back to what had it before. */
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
