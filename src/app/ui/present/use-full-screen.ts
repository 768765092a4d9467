import { useEffect, useRef } from "react";

/**
 * Enters full screen if the page was opened by a press. Escape, which browsers handle in full
 * screen, leaves full screen and the talk. Returns the function that toggles full screen.
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

/** If the browser refuses, the page stays as large as its window. */
function fill(): void {
  void document.documentElement.requestFullscreen?.().catch(() => undefined);
}
