import { useLayoutEffect, useState } from "react";

/** The width of a box in pixels, kept up to date. */
export function useWidth(box: { readonly current: HTMLElement | null }, first: number): number {
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
