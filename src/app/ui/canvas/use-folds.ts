import { useReactFlow } from "@xyflow/react";
import { useEffect, useLayoutEffect, useRef } from "react";
import {
  type CanvasLayout,
  type CanvasNode,
  foldedRunOf,
  openRunAround,
  runNodeOf,
} from "#app/scene";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { useApp, useAppStore } from "../store-context.tsx";

/** Opens the folded block that holds what the reader picks. */
export function useReveal(layout: CanvasLayout): void {
  const chosen = useApp((state) => state.chosen);
  const openRun = useApp((state) => state.openRun);
  const seen = useRef<typeof chosen>(undefined);
  useEffect(() => {
    if (chosen === undefined || chosen === seen.current) return;
    seen.current = chosen;
    const key = foldedRunOf(layout, chosen);
    if (key !== undefined) openRun(key);
  }, [chosen, layout, openRun]);
}

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
 * Keeps a block where it is on the screen while it opens or closes, and hands the focus from its
 * old button to its new one.
 */
export function useAnchor(layout: CanvasLayout, openRuns: ReadonlySet<string>, claim: Claim): void {
  const flow = useReactFlow();
  const before = useRef({ layout, openRuns, focused: undefined as string | undefined });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { layout, openRuns, focused: undefined };
    if (old.openRuns === openRuns) return;
    const key = toggledRun(old.openRuns, openRuns);
    if (key === undefined) return;
    const [from, to] = [runNodeOf(old.layout, key), runNodeOf(layout, key)];
    if (from === undefined || to === undefined) return;
    const { x, y, zoom } = flow.getViewport();
    const byX = (centerOf(from) - centerOf(to)) * zoom;
    const byY = (from.y - to.y) * zoom;
    if (byX !== 0 || byY !== 0) void flow.setViewport({ x: x + byX, y: y + byY, zoom });
    if (document.activeElement === document.body || focusedNode() === from.id) claim.take(to.id);
  }, [layout, openRuns, flow, claim]);
}

/** Which node is to have the focus once it is drawn. */
export interface Claim {
  readonly take: (id: string) => void;
}

/** The line down the middle; the head of an open block ends beside it. */
function centerOf({ kind, x, width }: CanvasNode): number {
  return kind === "run" ? x + width + 16 : x + width / 2;
}

function toggledRun(before: ReadonlySet<string>, after: ReadonlySet<string>): string | undefined {
  return [...after].find((key) => !before.has(key)) ?? [...before].find((key) => !after.has(key));
}
