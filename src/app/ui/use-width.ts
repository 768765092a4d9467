import { useLayoutEffect, useState } from "react";

/** Width of an element in pixels, kept up to date; `first` until it is measured. */
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
