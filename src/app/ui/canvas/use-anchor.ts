import { useStoreApi as useFlowStoreApi, useReactFlow } from "@xyflow/react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Rect } from "#app/scene";
import { type CanvasLayout, type CanvasNode, runNodeOf } from "#app/scene/graph";
import type { LaidOutDrawing } from "#app/state";
import { isSameGraph } from "./same-graph.ts";

/** Box that a new layout keeps in place. */
interface Move {
  /** Box that keeps its place on the screen, in the old and in the new layout. */
  readonly from: CanvasNode;
  readonly to: CanvasNode;
  /** Key of the block that was opened or folded. */
  readonly run: string | undefined;
}

/**
 * Keeps a block in place on the screen while it opens or folds, else the uppermost visible box that
 * is in both layouts. Moves the focus from the block's old button to its new one.
 *
 * @returns the visible rectangle before the layout came, moved with it; `undefined` for a new
 * graph, which gets a view of its own
 */
export function useAnchor(places: LaidOutDrawing, claim: Claim): Rect | undefined {
  const store = useFlowStoreApi();
  const flow = useReactFlow();
  const lastFocus = useLastFocus();
  const [moveTo] = useState(createMoves);
  const { move, sight } = useMemo(
    () => moveTo(places, sightOf(store.getState())),
    [places, moveTo, store],
  );
  useLayoutEffect(() => {
    if (move === undefined) return;
    const { x, y, zoom } = flow.getViewport();
    const by = shiftOf(move);
    if (by.x !== 0 || by.y !== 0) {
      void flow.setViewport({ x: x - by.x * zoom, y: y - by.y * zoom, zoom });
    }
    if (move.run === undefined) return;
    if (lastFocus.current === move.from.id) focusBox(move.to.id, claim);
  }, [move, flow, claim, lastFocus]);
  return sight;
}

interface Followed {
  readonly move: Move | undefined;
  readonly sight: Rect | undefined;
}

/** Follows successive layouts; a second call for the same layout returns the same result. */
function createMoves(): (places: LaidOutDrawing, view: Rect) => Followed {
  let last: { readonly places: LaidOutDrawing; readonly followed: Followed } | undefined;
  return (places, view) => {
    if (last?.places === places) return last.followed;
    const followed = followedBy(last?.places, places, view);
    last = { places, followed };
    return followed;
  };
}

function followedBy(
  before: LaidOutDrawing | undefined,
  after: LaidOutDrawing,
  view: Rect,
): Followed {
  if (before?.layout === after.layout) return { move: undefined, sight: view };
  const move = before === undefined ? undefined : moveOf(before.layout, after.layout, view);
  if (before === undefined || move === undefined || !isSameGraph(before, after)) {
    return { move, sight: undefined };
  }
  const by = shiftOf(move);
  return { move, sight: { ...view, x: view.x + by.x, y: view.y + by.y } };
}

function moveOf(before: CanvasLayout, after: CanvasLayout, view: Rect): Move | undefined {
  const run = toggledRun(before, after);
  const [from, to] =
    run === undefined
      ? keptNodes(before, after, view)
      : [runNodeOf(before, run), runNodeOf(after, run)];
  return from === undefined || to === undefined ? undefined : { from, to, run };
}

/** Displacement of the anchor box, in canvas pixels. */
function shiftOf({ from, to }: Move) {
  return { x: centerOf(to) - centerOf(from), y: to.y - from.y };
}

interface Pane {
  readonly transform: readonly [x: number, y: number, zoom: number];
  readonly width: number;
  readonly height: number;
}

function sightOf({ transform: [x, y, zoom], width, height }: Pane): Rect {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/** Focuses a box: at once if it is in the DOM, else when it mounts. */
function focusBox(id: string, claim: Claim): void {
  const boxes = document.querySelectorAll<HTMLElement>("[data-node]");
  const drawn = [...boxes].find((box) => box.dataset["node"] === id);
  if (drawn === undefined) claim.take(id);
  else drawn.focus({ preventScroll: true });
}

/**
 * Id of the box that had the focus last, kept until another element gets it: the box itself may be
 * removed.
 */
function useLastFocus(): { readonly current: string | undefined } {
  const last = useRef<string>(undefined);
  useEffect(() => {
    const keep = ({ target }: FocusEvent) => {
      last.current = target instanceof HTMLElement ? target.dataset["node"] : undefined;
    };
    document.addEventListener("focusin", keep);
    return () => document.removeEventListener("focusin", keep);
  }, []);
  return last;
}

/**
 * Uppermost visible box that is in both layouts; badges are excluded, since they are numbered anew
 * in each.
 */
function keptNodes(
  before: CanvasLayout,
  after: CanvasLayout,
  view: Rect,
): readonly [CanvasNode | undefined, CanvasNode | undefined] {
  const later = new Map(after.nodes.map((node) => [node.id, node]));
  const [kept] = before.nodes
    .filter((node) => node.kind !== "redistribution" && meets(node, view) && later.has(node.id))
    .sort((a, b) => a.y - b.y);
  return [kept, kept === undefined ? undefined : later.get(kept.id)];
}

function meets(a: Rect, b: Rect): boolean {
  const isAcross = a.x < b.x + b.width && b.x < a.x + a.width;
  return isAcross && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Claim of the focus by a node that is not mounted yet. */
export interface Claim {
  readonly take: (id: string) => void;
}

/** Centre line (x) of a box; the head of an open block ends 16 px left of it. */
function centerOf({ kind, x, width }: CanvasNode): number {
  return kind === "run" ? x + width + 16 : x + width / 2;
}

/** Key of the block that is open in only one of two layouts. */
function toggledRun(before: CanvasLayout, after: CanvasLayout): string | undefined {
  if (before.frames.length === 0 && after.frames.length === 0) return undefined;
  const [old, now] = [before, after].map(({ frames }) => frames.map(({ key }) => key));
  return now?.find((key) => !old?.includes(key)) ?? old?.find((key) => !now?.includes(key));
}
