import { type RefObject, startTransition, useEffect, useState } from "react";
import { noteWheel } from "./wheeling.ts";

/** Whoever scrolls by less sees what is drawn already. */
const step = 200;

/** How far a box is scrolled, in steps. */
export function useScrolled(scroller: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    // What comes near is drawn between frames; what is in sight moves without waiting for it.
    const look = () => startTransition(() => setTop(step * Math.floor(current.scrollTop / step)));
    look();
    current.addEventListener("scroll", look, { passive: true });
    current.addEventListener("wheel", noteWheel, { passive: true });
    return () => {
      current.removeEventListener("scroll", look);
      current.removeEventListener("wheel", noteWheel);
    };
  }, [scroller]);
  return top;
}
