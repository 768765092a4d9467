import { useEffect } from "react";
import { useAppStore } from "../store-context.tsx";

/**
 * Ctrl+O (Cmd+O) opens the gallery wherever the focus is; with Shift, the list of the user's plans.
 */
export function useGalleryKey(): void {
  const store = useAppStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOpenKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "o";
      if (!isOpenKey || event.altKey) return;
      event.preventDefault();
      const { openSheet, openGallery } = store.getState();
      if (event.shiftKey) openSheet("plans");
      else openGallery(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store]);
}
