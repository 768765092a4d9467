import { type RefObject, useLayoutEffect, useState } from "react";

/** Height of an element in pixels, kept up to date; `first` until it is measured. */
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
