import { useEffect } from "react";
import { useAppStore } from "../store-context.tsx";

/** Ctrl+O, or Cmd+O, opens the gallery wherever the focus is. */
export function useGalleryKey(): void {
  const store = useAppStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOpenKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "o";
      if (!isOpenKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      store.getState().openGallery(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store]);
}
