import { useReactFlow } from "@xyflow/react";
import { type MouseEvent, useLayoutEffect, useMemo, useRef } from "react";
import type { CanvasLayout, CanvasNode, CanvasWindow } from "#app/scene/graph";
import type { Selection } from "#app/state";
import { useAppStore } from "../store-context.tsx";
import type { CardNode } from "./card-nodes.ts";
import { farBelow } from "./far-painter.ts";

/** Pointer handlers of the canvas, other than panning and zooming. */
export interface PaneHandlers {
  readonly onNodeDoubleClick: (event: MouseEvent, node: CardNode) => void;
  readonly onNodeMouseEnter: (event: MouseEvent, node: CardNode) => void;
  readonly onNodeMouseLeave: () => void;
  readonly onPaneMouseMove: (event: MouseEvent) => void;
  readonly onPaneClick: (event: MouseEvent) => void;
}

/**
 * Pointer handlers; at a small zoom they mount the box under the pointer, and a click selects it.
 * Their identity is stable, since React Flow renders every box again for new handlers.
 */
export function usePane(
  drawn: { readonly layout: CanvasLayout; readonly index: CanvasWindow },
  [hovered, hover]: readonly [CanvasNode | undefined, (node: CanvasNode | undefined) => void],
): PaneHandlers {
  const flow = useReactFlow();
  const store = useAppStore();
  const newest = useRef({ ...drawn, hovered });
  useLayoutEffect(() => {
    newest.current = { ...drawn, hovered };
  });
  return useMemo(() => {
    const nodeUnder = ({ clientX, clientY, target }: MouseEvent) => {
      const { layout, index } = newest.current;
      const { x, y, zoom } = flow.getViewport();
      if (zoom >= farBelow(layout) || !(target instanceof Element)) return undefined;
      const pane = target.getBoundingClientRect();
      return index.nodeAt({
        x: (clientX - pane.left - x) / zoom,
        y: (clientY - pane.top - y) / zoom,
      });
    };
    return {
      onNodeDoubleClick: (_event, { data: { box } }) => {
        const { openRun, closeRun } = store.getState();
        if (box.kind === "run" && box.run.differsBy === undefined) closeRun(box.run.key);
        if (box.kind === "stack") openRun(box.stack.runs[0]?.key ?? "");
      },
      onNodeMouseEnter: (_event, { data: { box } }) => store.getState().linkParts(partsOf(box)),
      onNodeMouseLeave: () => store.getState().linkParts(undefined),
      onPaneMouseMove: (event) => {
        const node = nodeUnder(event);
        if (node !== newest.current.hovered) hover(node);
      },
      onPaneClick: (event) => {
        const node = nodeUnder(event);
        if (node !== undefined) selectNode(store.getState(), node);
        else store.getState().armAxis(undefined);
      },
    };
  }, [hover, flow, store]);
}

/** Parts of the plan whose places in the text are highlighted while a node is hovered. */
function partsOf(node: CanvasNode): Selection | undefined {
  switch (node.kind) {
    case "operator":
      return { operator: node.operator };
    case "redistribution":
      return { redistribution: node.redistribution };
    case "input":
    case "tensor":
      return { tensor: node.tensor };
    default:
      return undefined;
  }
}

function selectNode(
  { select, openRun }: ReturnType<ReturnType<typeof useAppStore>["getState"]>,
  node: CanvasNode,
): void {
  switch (node.kind) {
    case "operator":
      select({ operator: node.operator });
      break;
    case "redistribution":
      select({ redistribution: node.redistribution });
      break;
    case "stack":
      openRun(node.stack.runs[0]?.key ?? "");
      break;
    case "input":
    case "tensor":
      select({ tensor: node.tensor });
      break;
    default:
  }
}
