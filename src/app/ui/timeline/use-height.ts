import { type RefObject, useLayoutEffect, useState } from "react";

/** The height of a box in pixels, kept up to date. */
export function useHeight(box: RefObject<HTMLElement | null>, first: number): number {
  const [height, setHeight] = useState(first);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => setHeight(current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return height;
}
