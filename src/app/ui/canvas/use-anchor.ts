import { useStoreApi as useFlowStoreApi, useReactFlow } from "@xyflow/react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Rect } from "#app/scene";
import { type CanvasLayout, type CanvasNode, runNodeOf } from "#app/scene/graph";
import type { LaidOutDrawing } from "#app/state";
import { isSameGraph } from "./same-graph.ts";

/** The effect of a new layout on the view. */
interface Move {
  /** The box that stays where it is on the screen, in both layouts. */
  readonly from: CanvasNode;
  readonly to: CanvasNode;
  /** The block that opened or closed. */
  readonly run: string | undefined;
}

/**
 * Keeps things where they are on the screen: a block while it opens or closes, else the uppermost
 * box in sight that stays. Hands the focus from a block's old button to its new one.
 *
 * @returns what was in sight when the layout came, moved along with it; `undefined` of a graph that
 * is new, which gets a view of its own
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

/** Follows one layout after the other; asked twice about one, it says the same. */
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

/** How far the box that stays went, in CSS pixels of the canvas. */
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

/** Gives a box the focus: at once where it is drawn, else when it will be. */
function focusBox(id: string, claim: Claim): void {
  const boxes = document.querySelectorAll<HTMLElement>("[data-node]");
  const drawn = [...boxes].find((box) => box.dataset["node"] === id);
  if (drawn === undefined) claim.take(id);
  else drawn.focus({ preventScroll: true });
}

/** The box that had the focus last, until something else gets it: a box may go while it has it. */
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

/** The uppermost box in sight that stands in both layouts; badges are counted anew in each. */
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

/** Which node is to have the focus once it is drawn. */
export interface Claim {
  readonly take: (id: string) => void;
}

/** The line down the middle; the head of an open block ends beside it. */
function centerOf({ kind, x, width }: CanvasNode): number {
  return kind === "run" ? x + width + 16 : x + width / 2;
}

/** The run that is open in one layout alone. */
function toggledRun(before: CanvasLayout, after: CanvasLayout): string | undefined {
  if (before.frames.length === 0 && after.frames.length === 0) return undefined;
  const [old, now] = [before, after].map(({ frames }) => frames.map(({ key }) => key));
  return now?.find((key) => !old?.includes(key)) ?? old?.find((key) => !now?.includes(key));
}
