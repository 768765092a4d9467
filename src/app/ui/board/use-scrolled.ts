import { type RefObject, startTransition, useEffect, useState } from "react";
import { noteWheel } from "./wheeling.ts";

/** Step in CSS pixels by which the scroll position is reported: smaller scrolls render nothing. */
const step = 200;

/** Height in CSS pixels rendered beyond the visible range, once the user may scroll. */
const reach = 700;

/** Events on a scroller after which it may be scrolled. */
const signs = ["pointerenter", "wheel", "touchstart", "focusin", "scroll"] as const;

/**
 * Scroll position in steps, and the height rendered beyond the visible range (0 until the scroller
 * is used).
 */
export function useScrolled(scroller: RefObject<HTMLElement | null>) {
  const [top, setTop] = useState(0);
  const [beyond, reachTo] = useState(0);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    // The browser scrolls rendered rows without waiting; rows that come near are rendered as a
    // transition.
    const look = () => startTransition(() => setTop(step * Math.floor(current.scrollTop / step)));
    const use = () => startTransition(() => reachTo(reach));
    look();
    for (const sign of signs) current.addEventListener(sign, use, { passive: true, once: true });
    current.addEventListener("scroll", look, { passive: true });
    current.addEventListener("wheel", noteWheel, { passive: true });
    return () => {
      for (const sign of signs) current.removeEventListener(sign, use);
      current.removeEventListener("scroll", look);
      current.removeEventListener("wheel", noteWheel);
    };
  }, [scroller]);
  return { top, beyond };
}
