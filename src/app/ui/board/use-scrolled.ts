import { type RefObject, startTransition, useEffect, useState } from "react";
import { noteWheel } from "./wheeling.ts";

/** Whoever scrolls by less sees what is drawn already. */
const step = 200;

/** Drawn above and below what is in sight once somebody may scroll, in CSS pixels. */
const reach = 700;

/** Events on a box after which it may be scrolled. */
const signs = ["pointerenter", "wheel", "touchstart", "focusin", "scroll"] as const;

/** How far a box is scrolled, in steps, and how far beyond that is drawn: nothing before it is used. */
export function useScrolled(scroller: RefObject<HTMLElement | null>) {
  const [top, setTop] = useState(0);
  const [beyond, reachTo] = useState(0);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    // What comes near is drawn between frames; what is in sight moves without waiting for it.
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
