import { type RefObject, useEffect } from "react";

/** Moves the focus into a panel while it is open, and back when it closes. */
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
