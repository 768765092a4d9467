import { useStoreApi as useFlowStoreApi } from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";

/** Distance between dots and size of a dot, in canvas pixels. */
const gap = 20;
const size = 1;

/** Least distance between dots in screen pixels: closer ones would look like a grey surface. */
const leastStep = 10;

/** Dots behind the graph: moved with the view, and painted again only when the zoom changes. */
export function Dots() {
  const store = useFlowStoreApi();
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = (
      [x, y, zoom]: readonly [x: number, y: number, zoom: number],
      before?: number,
    ) => {
      const style = ref.current?.style;
      const doublings = Math.ceil(Math.log2(leastStep / (gap * zoom)));
      const step = gap * zoom * 2 ** Math.max(0, doublings);
      style?.setProperty("transform", `translate(${x % step}px, ${y % step}px)`);
      if (zoom === before) return;
      style?.setProperty("--dot-gap", `${step}px`);
      style?.setProperty("--dot-radius", `${(size * zoom) / 2}px`);
    };
    place(store.getState().transform);
    return store.subscribe(({ transform }, { transform: before }) => {
      if (transform !== before) place(transform, before[2]);
    });
  }, [store]);
  return <div className="dots" aria-hidden="true" ref={ref} />;
}
