import {
  type Transform,
  useStore as useFlowStore,
  useStoreApi as useFlowStoreApi,
  useReactFlow,
} from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import type { Rect, Size } from "#app/scene";
import { type CanvasLayout, nodeOf } from "#app/scene/graph";
import { isTrainingStep, type LaidOutDrawing } from "#app/state";
import { useApp, useAppStore } from "../store-context.tsx";
import { enough, minimapWidth } from "./minimap-scales.ts";
import { isSameGraph } from "./same-graph.ts";

/**
 * Room above the graph beyond its own margin, in CSS pixels: it keeps column heads clear of the
 * switches, and on a tablet the whole graph clear of the row of switches and tools.
 */
function aboveOf({ heads }: CanvasLayout): number {
  if (matches("(max-width: 599px)")) return 12;
  if (isSmall()) return 64;
  return heads.length > 0 ? 40 : 12;
}

/**
 * Whether the window is small: there, zoom and fit buttons share the row of the switches at the
 * top.
 */
function isSmall(): boolean {
  return matches("(max-width: 1023px)");
}

function matches(query: string): boolean {
  return matchMedia(query).matches;
}

/**
 * Largest zoom of a small graph, the least enlargement that is worth it, and the least zoom of a
 * graph that is fitted by width.
 */
const mostZoom = 1.25;
const worthwhile = 1.1;
const leastWhole = 0.8;

/**
 * Zoom range in which only names are drawn: there a graph is shown whole rather than slightly
 * larger.
 */
const leastNames = 0.4;
const leastWords = 0.6;

/** Greatest distance of a graph with folded blocks from the top, in CSS pixels. */
const foldedTop = 32;

/** Margins at both sides of the minimap together, in CSS pixels. */
const besideMinimap = 2 * 12;

/** Zoom from which all texts are drawn. */
const leastNear = 0.75;

interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/**
 * First view of a new graph: whole, slightly above the middle, clear of the switches in the corner.
 * A graph too high for that is fitted by width and begins at the top.
 */
function firstView(layout: CanvasLayout, width: number, height: number): View {
  const above = aboveOf(layout);
  const pane = { width, height };
  const view = viewBelow(above, layout, pane);
  const switches = isSmall() ? { width: 0, height: 0 } : corner;
  const isUnder = view.y < switches.height && meetsCorner(view, layout, pane, switches);
  return isUnder ? viewBelow(switches.height, layout, pane) : view;
}

/** Whether a box reaches under the switches in the upper right corner. */
function meetsCorner({ x, y, zoom }: View, layout: CanvasLayout, pane: Size, corner: Size) {
  return layout.nodes.some(
    (node) =>
      y + node.y * zoom < corner.height &&
      x + (node.x + node.width) * zoom > pane.width - corner.width,
  );
}

/** View of a graph below a strip of the given height. */
function viewBelow(above: number, layout: CanvasLayout, { width, height }: Size): View {
  const view = placed(layout, width, height - above, above);
  const isWhole = view.y + layout.height * view.zoom <= height;
  return isWhole ? view : asideOf(view, layout, { width, height });
}

/**
 * View moved to the right of the minimap, if the graph reaches below the pane and enough zoom is
 * left.
 */
function asideOf(view: View, layout: CanvasLayout, pane: Size): View {
  if ((pane.height - view.y) / (layout.height * view.zoom) >= enough) return view;
  const left = besideMinimap + minimapWidth(layout);
  const beside = (pane.width - left) / layout.width;
  if (beside < leastNear) return view;
  const zoom = Math.min(view.zoom, beside);
  return { ...view, zoom, x: Math.max(left, (pane.width - layout.width * zoom) / 2) };
}

function placed(layout: CanvasLayout, width: number, room: number, above: number): View {
  const byWidth = width / layout.width;
  const whole = Math.min(byWidth, room / layout.height);
  const large = whole < worthwhile ? 1 : Math.min(mostZoom, whole);
  const wide = Math.min(byWidth, leastWhole);
  const isAlike = wide < leastWords && whole >= leastNames;
  const zoom = whole >= 1 ? large : isAlike ? whole : Math.max(whole, wide);
  const x = Math.max(0, (width - layout.width * zoom) / 2);
  const middle = Math.max(0, (room - layout.height * zoom) * 0.45);
  // A folded block opens downwards, so the room is left below.
  const isFolded = layout.nodes.some(({ kind }) => kind === "stack");
  return { x, y: above + (isFolded ? Math.min(middle, foldedTop) : middle), zoom };
}

/** Size of the switches at the upper right, in CSS pixels. */
const corner: Size = { width: 276, height: 48 };

/**
 * Fits a new graph into the view, and a graph after the training step was toggled; an edit of the
 * same graph keeps the view. A view that the user has not moved is fitted again when the pane is
 * resized.
 *
 * @returns the function that fits the whole graph
 */
export function useFirstView({ of, layout }: LaidOutDrawing): () => void {
  const { setViewport } = useReactFlow();
  const store = useFlowStoreApi();
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const seen = useRef<(LaidOutDrawing & Size) | undefined>(undefined);
  const placed = useRef<View | undefined>(undefined);
  // Read before an edit moves the view, so that a fitted view still counts as fitted.
  const isPlaced = isAlike(placed.current, viewIn(store.getState()));
  const wanted = useApp(({ zoom }) => (zoom?.isWanted === true ? zoom.percent : undefined));
  const app = useAppStore();
  const showAll = useCallback(() => {
    const pane = store.getState();
    placed.current = firstView(layout, pane.width, pane.height);
    void setViewport(placed.current);
  }, [layout, store, setViewport]);
  useEffect(() => {
    if (width === 0 || height === 0) return;
    const before = seen.current;
    const isSame =
      before !== undefined && isSameGraph(before, { of }) && !isSwitched(before, { of, layout });
    const isResized = before?.width !== width || before.height !== height;
    seen.current = { of, layout, width, height };
    if (wanted !== undefined) {
      // A zoom from a link counts as set by the user, not as fitted.
      placed.current = undefined;
      app.getState().zoomGraph({ percent: wanted, isWanted: false });
      const node = nodeOf(layout, app.getState().selection);
      void setViewport(zoomed(layout, node, wanted / 100, { width, height }));
    } else if (!isSame || (isPlaced && isResized)) showAll();
    else if (isPlaced) placed.current = viewIn(store.getState());
  }, [of, layout, width, height, isPlaced, wanted, showAll, setViewport, store, app]);
  // A fitted zoom is not recorded: a link opens fitted anyway.
  const percent = useFlowStore(({ transform: [, , zoom] }) =>
    Math.abs(zoom - (placed.current?.zoom ?? 0)) < 1e-4 ? undefined : Math.round(100 * zoom),
  );
  useEffect(() => {
    if (seen.current === undefined || app.getState().zoom?.isWanted === true) return;
    app.getState().zoomGraph(percent === undefined ? undefined : { percent, isWanted: false });
  }, [percent, app]);
  return showAll;
}

/**
 * View of a graph at a given zoom: centred where it fits, else centred on the selection.
 *
 * @internal
 */
export function zoomed(whole: Size, at: Rect | undefined, zoom: number, pane: Size): View {
  const x = at !== undefined && zoom * whole.width > pane.width ? at.x + at.width / 2 : undefined;
  const y =
    at !== undefined && zoom * whole.height > pane.height ? at.y + at.height / 2 : undefined;
  return {
    x: pane.width / 2 - zoom * (x ?? whole.width / 2),
    y: pane.height / 2 - zoom * (y ?? whole.height / 2),
    zoom,
  };
}

function viewIn({ transform: [x, y, zoom] }: { readonly transform: Transform }): View {
  return { x, y, zoom };
}

/** Whether two views differ by less than a screen shows. */
function isAlike(a: View | undefined, b: View): boolean {
  if (a === undefined) return false;
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y) < 0.1 && Math.abs(a.zoom - b.zoom) < 1e-4;
}

/** Whether the reader has just toggled the training step; then the whole graph is fitted. */
function isSwitched(before: LaidOutDrawing, after: LaidOutDrawing): boolean {
  const isTrained = isTrainingStep(before.of) && isTrainingStep(after.of);
  return isTrained && before.layout.heads.length !== after.layout.heads.length;
}
