import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "#app/scene";

/** Inner size of an element in CSS pixels, kept up to date; `undefined` until it is mounted. */
export function useRoom(box: RefObject<HTMLElement | null>): Size | undefined {
  const [room, setRoom] = useState<Size | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = () => {
      const { clientWidth: width, clientHeight: height } = current;
      setRoom((known) =>
        known?.width === width && known.height === height ? known : { width, height },
      );
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return room;
}
