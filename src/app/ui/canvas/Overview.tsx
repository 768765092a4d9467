import { useStoreApi as useFlowStoreApi, useReactFlow } from "@xyflow/react";
import { type PointerEvent, useEffect, useRef } from "react";
import { type CanvasLayout, mixed, pictureColours } from "#app/scene";
import { useResolvedTheme } from "../theme.ts";

const room = { width: 120, height: 68 };

/** The whole graph in small, with the part in sight; press or draw in it to go there. */
export function Overview({ layout }: { readonly layout: CanvasLayout }) {
  const flow = useReactFlow();
  const store = useFlowStoreApi();
  const theme = useResolvedTheme();
  const picture = useRef<HTMLCanvasElement>(null);
  const sight = useRef<HTMLSpanElement>(null);
  const { across, down, left, top } = scalesOf(layout);
  useEffect(() => {
    const canvas = picture.current;
    const pen = canvas?.getContext("2d") ?? null;
    if (canvas === null || pen === null) return;
    canvas.width = room.width * fine;
    canvas.height = room.height * fine;
    pen.setTransform(fine * across, 0, 0, fine * down, fine * left, fine * top);
    const colours = pictureColours[theme];
    pen.fillStyle = mixed(colours.ink2, colours.surface, 40);
    // What lies closer together than a pixel is one.
    let painted = Number.NEGATIVE_INFINITY;
    for (const { kind, x, y, width, height } of layout.nodes) {
      if (kind === "run" || kind === "output") continue;
      if (y + height < painted) continue;
      if (layout.nodes.length > dense) painted = y + height + 0.5 / down;
      pen.fillRect(x, y, width, Math.max(height, 0.5 / down));
    }
  }, [layout, across, down, left, top, theme]);
  useEffect(() => {
    const place = () => {
      const box = sight.current;
      if (box === null) return;
      const { transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      box.style.transform = `translate(${left - (x / zoom) * across}px, ${top - (y / zoom) * down}px)`;
      box.style.width = `${(width / zoom) * across}px`;
      box.style.height = `${Math.max(3, (height / zoom) * down)}px`;
    };
    place();
    return store.subscribe(place);
  }, [store, across, down, left, top]);
  const go = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons === 0) return;
    const bounds = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - bounds.left - left) / across;
    const y = (event.clientY - bounds.top - top) / down;
    void flow.setCenter(x, y, { zoom: flow.getZoom() });
  };
  return (
    <div
      className="overview"
      role="img"
      aria-label="Overview"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
    >
      <canvas ref={picture} />
      <span ref={sight} />
    </div>
  );
}

/** A graph that is much higher than wide is drawn flatter than it is. */
function scalesOf({ width, height }: CanvasLayout) {
  const fitting = Math.min(room.width / width, room.height / height, 0.2);
  const across = Math.max(fitting, Math.min(0.08, room.width / width));
  const down = Math.min(across, room.height / height);
  const left = (room.width - width * across) / 2;
  return { across, down, left, top: (room.height - height * down) / 2 };
}

const fine = 2;

/** Above so many boxes those are left out that would hide behind others. */
const dense = 2000;
