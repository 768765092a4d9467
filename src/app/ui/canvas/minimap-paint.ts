import type { CanvasLayout } from "#app/scene/graph";
import { mixColours, svgColours } from "#app/scene/svg";
import type { useResolvedTheme } from "../theme.ts";
import { isAside, room, type scalesOf } from "./minimap-scales.ts";

type Scales = ReturnType<typeof scalesOf>;

/** Canvas pixels per CSS pixel. */
const fine = 2;

/** Number of boxes above which boxes hidden behind others are skipped. */
const dense = 2000;

/** Paints the boxes of a graph at the minimap's scale. */
export function paintGraph(
  canvas: HTMLCanvasElement | null,
  layout: CanvasLayout,
  { across, down, left, top, wide }: Scales,
  theme: ReturnType<typeof useResolvedTheme>,
): void {
  const pen = canvas?.getContext("2d") ?? null;
  if (canvas === null || pen === null) return;
  // Setting a canvas's size, even to the same value, causes a new layout.
  const [width, height] = [Math.round(wide * fine), room.height * fine];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  pen.resetTransform();
  pen.clearRect(0, 0, width, height);
  pen.setTransform(fine * across, 0, 0, fine * down, fine * left, fine * top);
  const colours = svgColours[theme];
  pen.fillStyle = mixColours(colours.ink2, colours.surface, 40);
  // Boxes that end less than a pixel below the last painted one are skipped.
  let painted = Number.NEGATIVE_INFINITY;
  for (const { kind, x, y, width, height } of layout.nodes) {
    if (kind === "run" || kind === "output") continue;
    if (y + height < painted) continue;
    if (layout.nodes.length > dense) painted = y + height + 0.5 / down;
    pen.fillRect(x, y, width, Math.max(height, 0.5 / down));
  }
}

/** The visible part of the graph: the pane's translation, zoom and size in pixels. */
interface Sight {
  readonly transform: readonly [x: number, y: number, zoom: number];
  readonly width: number;
  readonly height: number;
}

/**
 * Frames the visible part. Hides the minimap while that is most of the graph, unless it is pressed.
 */
export function frameSight(
  box: HTMLElement | null,
  layout: CanvasLayout,
  { across, down, left, top }: Omit<Scales, "wide">,
  { transform, width, height }: Sight,
): void {
  if (box === null) return;
  const [x, y, zoom] = transform;
  const map = box.parentElement;
  if (map !== null && !map.matches(":active")) {
    const isHidden = isAside(shareInSight(layout, transform, { width, height }), height);
    // Setting the attribute, even to the same value, restyles the element.
    if (map.hidden !== isHidden) map.hidden = isHidden;
  }
  box.style.transform = `translate(${left - (x / zoom) * across}px, ${top - (y / zoom) * down}px)`;
  box.style.width = `${(width / zoom) * across}px`;
  box.style.height = `${Math.max(3, (height / zoom) * down)}px`;
}

/** Visible share of the graph's area (0 to 1). */
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
