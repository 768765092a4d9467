import { useStoreApi as useFlowStoreApi } from "@xyflow/react";
import { useContext, useEffect, useRef } from "react";
import { type CanvasLayout, type CanvasWindow, labelRooms } from "#app/scene/graph";
import { LitContext } from "../compare/lit-nodes.ts";
import { useResolvedTheme } from "../theme.ts";
import { farLabels } from "./far-labels.ts";
import { type FarScene, farBelow, paintFarCanvas } from "./far-painter.ts";
import { wordsFrom } from "./far-words.ts";
import { GlyphBitmapsContext } from "./glyph-bitmaps.ts";
import { type Lookup, LookupContext } from "./lookup.ts";

interface Props {
  readonly layout: CanvasLayout;
  readonly index: CanvasWindow;
}

/** Graph at a small zoom, painted on one canvas that moves with the boxes above it. */
export function FarCanvas({ layout, index }: Props) {
  const store = useFlowStoreApi();
  const ref = useRef<HTMLCanvasElement>(null);
  const lookup = useContext(LookupContext);
  const bitmaps = useContext(GlyphBitmapsContext);
  const lightOf = useContext(LitContext);
  const theme = useResolvedTheme();
  const isBlank = useRef(true);
  useEffect(() => {
    const canvas = ref.current;
    const pen = canvas?.getContext("2d") ?? null;
    if (canvas === null || pen === null) return;
    let frame: number | undefined;
    const labelsAt = rememberedLabels(layout, lookup);
    const paint = () => {
      frame = undefined;
      const { transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      const isAfar = zoom < farBelow(layout);
      if (!isAfar && isBlank.current) return;
      isBlank.current = !isAfar;
      const fine = sized(canvas, width, height);
      pen.setTransform(fine, 0, 0, fine, 0, 0);
      pen.clearRect(0, 0, width, height);
      if (!isAfar) return;
      pen.translate(x, y);
      pen.scale(zoom, zoom);
      const area = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
      const [nodes, edges] = [index.nodesIn(area), index.edgesIn(area)];
      const seen = { nodes, edges, frames: layout.frames, roomBeside: labelRooms(index) };
      const labels = labelsAt(zoom).filter(({ y }) => y > area.y && y < area.y + area.height);
      paintFarCanvas(pen, { ...seen, labels, lookup, theme, bitmaps, zoom, lightOf });
    };
    const later = () => {
      frame ??= requestAnimationFrame(paint);
    };
    paint();
    const stop = store.subscribe((state, before) => {
      const isSame =
        state.transform === before.transform &&
        state.width === before.width &&
        state.height === before.height;
      if (!isSame && Math.min(state.transform[2], before.transform[2]) < farBelow(layout)) later();
    });
    return () => {
      stop();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [store, layout, index, lookup, bitmaps, lightOf, theme]);
  return (
    <div className="far-canvas" aria-hidden="true">
      <canvas ref={ref} />
    </div>
  );
}

/**
 * Sets a canvas to the resolution of the screen, at most 2 pixels per CSS pixel; returns that
 * ratio.
 */
function sized(canvas: HTMLCanvasElement, width: number, height: number): number {
  const fine = Math.min(devicePixelRatio, 2);
  const [w, h] = [Math.round(width * fine), Math.round(height * fine)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  return fine;
}

/** Labels of a graph by zoom, kept while the graph is only moved. */
function rememberedLabels(
  layout: CanvasLayout,
  lookup: Lookup,
): (zoom: number) => FarScene["labels"] {
  let known: { readonly zoom: number; readonly labels: FarScene["labels"] } | undefined;
  return (zoom) => {
    if (zoom >= wordsFrom) return [];
    if (known?.zoom !== zoom) known = { zoom, labels: farLabels(layout, lookup, zoom) };
    return known.labels;
  };
}
