import { useStoreApi as useFlowStoreApi, useReactFlow } from "@xyflow/react";
import { useEffect, useLayoutEffect, useRef } from "react";
import {
  type CanvasLayout,
  type CanvasNode,
  openRunAround,
  type Rect,
  runNodeOf,
} from "#app/scene";
import type { Placed } from "#app/state";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { useAppStore } from "../store-context.tsx";

/** `g` opens the block that has the focus, and folds the one around what has it. */
export function useFoldKey(layout: CanvasLayout, current: string | undefined): void {
  const store = useAppStore();
  const toggle = () => {
    const { openRun, closeRun, selection } = store.getState();
    const focused = layout.nodes.find(({ id }) => id === focusedNode());
    const node =
      focused ??
      layout.nodes.find(
        (each) => each.kind === "operator" && each.operator === selection.operator,
      ) ??
      layout.nodes.find(({ id }) => id === current);
    const around = node === undefined ? undefined : openRunAround(layout, node);
    const stack = node?.kind === "stack" ? node : firstStack(layout);
    if (node?.kind !== "stack" && around !== undefined) closeRun(around);
    else if (stack !== undefined) openRun(stack.stack.runs[0]?.key ?? "");
    else if (layout.frames[0] !== undefined) closeRun(layout.frames[0].key);
  };
  useLetterKeys({ g: layout.frames.length > 0 || firstStack(layout) ? toggle : undefined });
}

function firstStack({ nodes }: CanvasLayout) {
  return nodes.find((node): node is CanvasNode & { kind: "stack" } => node.kind === "stack");
}

function focusedNode(): string | undefined {
  const element = document.activeElement;
  return element instanceof HTMLElement ? element.dataset["node"] : undefined;
}

/**
 * Keeps things where they are on the screen: a block while it opens or closes, else the uppermost
 * box in sight that stays. Hands the focus from a block's old
 * button to its new one.
 */
export function useAnchor({ of, layout }: Placed, claim: Claim): void {
  const store = useFlowStoreApi();
  const flow = useReactFlow();
  const before = useRef({ of, layout });
  const lastFocus = useLastFocus();
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { of, layout };
    if (old.layout === layout) return;
    const { width, height } = store.getState();
    const { x, y, zoom } = flow.getViewport();
    const key = toggledRun(old.layout, layout);
    const view = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
    const [from, to] =
      key === undefined
        ? keptNodes(old.layout, layout, view)
        : [runNodeOf(old.layout, key), runNodeOf(layout, key)];
    if (from === undefined || to === undefined) return;
    const byX = (centerOf(from) - centerOf(to)) * zoom;
    const byY = (from.y - to.y) * zoom;
    if (byX !== 0 || byY !== 0) void flow.setViewport({ x: x + byX, y: y + byY, zoom });
    if (key === undefined) return;
    if (lastFocus.current === from.id) focusBox(to.id, claim);
  }, [of, layout, flow, store, claim, lastFocus]);
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

/** The uppermost box in sight that stands in both layouts. */
function keptNodes(
  before: CanvasLayout,
  after: CanvasLayout,
  view: Rect,
): readonly [CanvasNode | undefined, CanvasNode | undefined] {
  const later = new Map(after.nodes.map((node) => [node.id, node]));
  const [kept] = before.nodes
    .filter((node) => meets(node, view) && later.has(node.id))
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
