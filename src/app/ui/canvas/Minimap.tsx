import { useStoreApi as useFlowStoreApi, useReactFlow } from "@xyflow/react";
import { type PointerEvent, useEffect, useRef } from "react";
import type { CanvasLayout } from "#app/scene/graph";
import { holdPointer } from "../gesture/hold-pointer.ts";
import { useResolvedTheme } from "../theme.ts";
import { frameSight, paintGraph } from "./minimap-paint.ts";
import { scalesOf } from "./minimap-scales.ts";

/**
 * A small picture of the whole graph with a frame around the visible part. Press or drag in it to
 * scroll; Escape restores the view. It is hidden while most of the graph is visible and where there
 * is little room.
 */
export function Minimap({ layout }: { readonly layout: CanvasLayout }) {
  const flow = useReactFlow();
  const store = useFlowStoreApi();
  const theme = useResolvedTheme();
  const picture = useRef<HTMLCanvasElement>(null);
  const sight = useRef<HTMLSpanElement>(null);
  const { across, down, left, top, wide } = scalesOf(layout);
  useEffect(() => {
    paintGraph(picture.current, layout, { across, down, left, top, wide }, theme);
  }, [layout, across, down, left, top, wide, theme]);
  useEffect(() => {
    const place = () =>
      frameSight(sight.current, layout, { across, down, left, top }, store.getState());
    place();
    return store.subscribe((now, before) => {
      const { transform, width, height } = before;
      const isMoved = now.transform !== transform || now.width !== width || now.height !== height;
      if (isMoved) place();
    });
  }, [store, layout, across, down, left, top]);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const { currentTarget, pointerId } = event;
    const before = flow.getViewport();
    const go = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
      const bounds = currentTarget.getBoundingClientRect();
      const x = (clientX - bounds.left - left) / across;
      const y = (clientY - bounds.top - top) / down;
      void flow.setCenter(x, y, { zoom: flow.getZoom() });
    };
    holdPointer(currentTarget, pointerId, {
      onMove: go,
      onGiveUp: () => void flow.setViewport(before),
    });
    go(event);
  };
  return (
    <div
      className="minimap"
      role="img"
      aria-label="Minimap"
      style={{ width: wide }}
      onPointerDown={onPointerDown}
    >
      <canvas ref={picture} />
      <span ref={sight} />
    </div>
  );
}
