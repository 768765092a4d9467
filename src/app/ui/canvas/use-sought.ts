import { useReactFlow } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { type CanvasLayout, nodeOf } from "#app/scene/graph";
import { useApp } from "../store-context.tsx";

/** Least zoom at which words are readable. */
const readableZoom = 0.75;

/** Centres the canvas on the result of a palette search, once its node is laid out. */
export function useSought(layout: CanvasLayout): void {
  const flow = useReactFlow();
  const sought = useApp((state) => state.sought);
  const seen = useRef(sought);
  useEffect(() => {
    if (sought === undefined || sought === seen.current) return;
    const node = nodeOf(layout, sought);
    if (node === undefined) return;
    seen.current = sought;
    const zoom = Math.max(flow.getZoom(), readableZoom);
    void flow.setCenter(node.x + node.width / 2, node.y + node.height / 2, { zoom });
  }, [sought, layout, flow]);
}
