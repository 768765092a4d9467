import { type RefObject, useEffect, useState } from "react";

/** Whoever scrolls by less sees what is drawn already. */
const step = 200;

/** How far a box is scrolled, in steps. */
export function useScrolled(scroller: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const look = () => setTop(step * Math.floor(current.scrollTop / step));
    look();
    current.addEventListener("scroll", look, { passive: true });
    return () => current.removeEventListener("scroll", look);
  }, [scroller]);
  return top;
}
