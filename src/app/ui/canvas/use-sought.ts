import { useReactFlow } from "@xyflow/react";
import { useEffect, useRef } from "react";
import type { CanvasLayout, CanvasNode } from "#app/scene";
import type { Selection } from "#app/state";
import { useApp } from "../store-context.tsx";

/** Where words can be read on the canvas. */
const readableZoom = 0.75;

/** Brings what the palette went to into the middle of the canvas. */
export function useSought(layout: CanvasLayout): void {
  const flow = useReactFlow();
  const sought = useApp((state) => state.sought);
  const seen = useRef(sought);
  useEffect(() => {
    if (sought === undefined || sought === seen.current) return;
    seen.current = sought;
    const node = layout.nodes.find((each) => isSought(each, sought));
    if (node === undefined) return;
    const zoom = Math.max(flow.getZoom(), readableZoom);
    void flow.setCenter(node.x + node.width / 2, node.y + node.height / 2, { zoom });
  }, [sought, layout, flow]);
}

function isSought(node: CanvasNode, sought: Selection): boolean {
  switch (node.kind) {
    case "operator":
      return sought.operator === node.operator;
    case "redistribution":
      return sought.redistribution === node.redistribution;
    default:
      return (
        sought.operator === undefined &&
        sought.redistribution === undefined &&
        sought.tensor === node.tensor
      );
  }
}
