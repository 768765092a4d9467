import { useEffect, useRef } from "react";

/**
 * Goes to full screen when a press opened the page; Escape, which browsers handle themselves then,
 * leaves full screen and the talk. Returns an action that enters or leaves full screen later.
 */
export function useFullScreen(leave: () => void): () => void {
  const left = useRef(leave);
  left.current = leave;
  const isSwitching = useRef(false);
  useEffect(() => {
    let wasFull = false;
    const changed = () => {
      const isFull = document.fullscreenElement !== null;
      if (wasFull && !isFull && !isSwitching.current) left.current();
      wasFull = isFull;
      isSwitching.current = false;
    };
    document.addEventListener("fullscreenchange", changed);
    if (navigator.userActivation.isActive) fill();
    return () => {
      document.removeEventListener("fullscreenchange", changed);
      if (document.fullscreenElement !== null)
        void document.exitFullscreen().catch(() => undefined);
    };
  }, []);
  return () => {
    if (document.fullscreenElement === null) return fill();
    isSwitching.current = true;
    void document.exitFullscreen().catch(() => undefined);
  };
}

/** A browser that refuses leaves the page as large as its window. */
function fill(): void {
  void document.documentElement.requestFullscreen?.().catch(() => undefined);
}
