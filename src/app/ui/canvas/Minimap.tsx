import { useStoreApi as useFlowStoreApi, useReactFlow } from "@xyflow/react";
import { type PointerEvent, useEffect, useRef } from "react";
import type { CanvasLayout } from "#app/scene/graph";
import { mixed, svgColours } from "#app/scene/svg";
import { holdPointer } from "../gesture/hold-pointer.ts";
import { useResolvedTheme } from "../theme.ts";
import { isAside, room, scalesOf } from "./minimap-scales.ts";

/**
 * The whole graph in small, with the part in sight; press or draw in it to go there, Escape goes
 * back. It steps aside while most of the graph is in sight, and where there is little room.
 */
export function Minimap({ layout }: { readonly layout: CanvasLayout }) {
  const flow = useReactFlow();
  const store = useFlowStoreApi();
  const theme = useResolvedTheme();
  const picture = useRef<HTMLCanvasElement>(null);
  const sight = useRef<HTMLSpanElement>(null);
  const { across, down, left, top, wide } = scalesOf(layout);
  useEffect(() => {
    const canvas = picture.current;
    const pen = canvas?.getContext("2d") ?? null;
    if (canvas === null || pen === null) return;
    // A canvas that is given its size, even the same one, is laid out anew.
    const [width, height] = [Math.round(wide * fine), room.height * fine];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    pen.resetTransform();
    pen.clearRect(0, 0, width, height);
    pen.setTransform(fine * across, 0, 0, fine * down, fine * left, fine * top);
    const colours = svgColours[theme];
    pen.fillStyle = mixed(colours.ink2, colours.surface, 40);
    // What lies closer together than a pixel is one.
    let painted = Number.NEGATIVE_INFINITY;
    for (const { kind, x, y, width, height } of layout.nodes) {
      if (kind === "run" || kind === "output") continue;
      if (y + height < painted) continue;
      if (layout.nodes.length > dense) painted = y + height + 0.5 / down;
      pen.fillRect(x, y, width, Math.max(height, 0.5 / down));
    }
  }, [layout, across, down, left, top, wide, theme]);
  useEffect(() => {
    const place = () => {
      const box = sight.current;
      if (box === null) return;
      const { transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      const frame = box.parentElement;
      if (frame !== null && !frame.matches(":active")) {
        const isHidden = isAside(shareInSight(layout, transform, { width, height }), height);
        // Told once more what it is, an element is styled anew.
        if (frame.hidden !== isHidden) frame.hidden = isHidden;
      }
      box.style.transform = `translate(${left - (x / zoom) * across}px, ${top - (y / zoom) * down}px)`;
      box.style.width = `${(width / zoom) * across}px`;
      box.style.height = `${Math.max(3, (height / zoom) * down)}px`;
    };
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

/** How much of the graph lies in the pane, as a share of its area. */
function shareInSight(
  layout: CanvasLayout,
  [x, y, zoom]: readonly [number, number, number],
  pane: { readonly width: number; readonly height: number },
): number {
  const within = (start: number, length: number, all: number) =>
    Math.max(0, Math.min(start + length, all) - Math.max(start, 0)) / Math.max(length, 1);
  const across = within(x, layout.width * zoom, pane.width);
  return across * within(y, layout.height * zoom, pane.height);
}

const fine = 2;

/** Above so many boxes those are left out that would hide behind others. */
const dense = 2000;
