import { useStoreApi as useFlowStoreApi, useReactFlow } from "@xyflow/react";
import { type KeyboardEvent, useMemo, useState } from "react";
import type { CanvasLayout, CanvasNode } from "#app/scene/graph";
import { pressCard } from "../gesture/card-keys.ts";
import { useAppStore } from "../store-context.tsx";
import { neighbourOf, type Roving } from "./roving.ts";
import type { Claim } from "./use-anchor.ts";

/**
 * Roving tab stop of the canvas: the current node, the arrow keys that move it, and the keys of its
 * card.
 */
export function useRoving(layout: CanvasLayout): {
  readonly roving: Roving;
  readonly claim: Claim;
  readonly current: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
} {
  const [focused, focusOn] = useState<string | undefined>(undefined);
  const [claim] = useState(createClaim);
  const app = useAppStore();
  const bringIntoSight = useSight();
  const known = useMemo(() => new Map(layout.nodes.map((node) => [node.id, node])), [layout]);
  const current = focused !== undefined && known.has(focused) ? focused : layout.nodes[0]?.id;
  const roving = useMemo(
    () => ({ current, focusOn, isClaimed: claim.isClaimed }),
    [current, claim],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof Element) || event.target.closest("[data-node]") === null) return;
    const here = current === undefined ? undefined : known.get(current);
    if (here !== undefined && pressCard(app, here, event)) return event.preventDefault();
    const next = neighbourOf(layout.nodes, current, event);
    const node = next === undefined ? undefined : known.get(next);
    if (node === undefined) return;
    event.preventDefault();
    const drawn = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-node]")].find(
      (element) => element.dataset["node"] === node.id,
    );
    if (drawn === undefined) {
      claim.take(node.id);
      focusOn(node.id);
    } else drawn.focus({ preventScroll: true });
    bringIntoSight(node);
  };
  return { roving, claim, current, onKeyDown };
}

/** Holds the id of the node that is to take the focus, until it mounts. */
function createClaim(): Claim & Pick<Roving, "isClaimed"> {
  let claimed: string | undefined;
  return {
    take: (id) => {
      claimed = id;
    },
    isClaimed: (id) => {
      if (claimed !== id) return false;
      claimed = undefined;
      return true;
    },
  };
}

/** Margin around a node that is moved into view, in CSS pixels. */
const margin = 24;

/** Returns a function that moves a node into view, by as little as necessary. */
function useSight(): (node: CanvasNode) => void {
  const flow = useReactFlow();
  const store = useFlowStoreApi();
  return ({ x, y, width, height }) => {
    const view = flow.getViewport();
    const state = store.getState();
    const into = (from: number, size: number, room: number) => {
      if (from < margin) return margin - from;
      return Math.min(0, Math.max(room - margin - from - size, margin - from));
    };
    const byX = into(x * view.zoom + view.x, width * view.zoom, state.width);
    const byY = into(y * view.zoom + view.y, height * view.zoom, state.height);
    if (byX !== 0 || byY !== 0) {
      void flow.setViewport({ x: view.x + byX, y: view.y + byY, zoom: view.zoom });
    }
  };
}
