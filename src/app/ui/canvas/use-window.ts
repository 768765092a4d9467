import { type ReactFlowState, useStore as useFlowStore } from "@xyflow/react";
import { useMemo } from "react";
import type { Rect } from "#app/scene";
import type { CanvasEdge, CanvasLayout, CanvasNode, CanvasWindow } from "#app/scene/graph";
import { farBelow } from "./far-painter.ts";

/** Most nodes of a graph that is rendered as a whole, without a window. */
const few = 150;
const everything = "all";

/** Step of the rendered window in canvas pixels, and twice its margin around the visible part. */
const step = 320;

/** Nodes and edges to render: those in the window; at a small zoom only the kept nodes. */
export function useWindow(
  layout: CanvasLayout,
  index: CanvasWindow,
  kept: readonly CanvasNode[],
): { readonly nodes: readonly CanvasNode[]; readonly edges: readonly CanvasEdge[] } {
  const isSmall = layout.nodes.length <= few;
  const below = farBelow(layout);
  const key = useFlowStore((state) => windowKey(state, isSmall, below));
  return useMemo(() => {
    if (key === everything) return layout;
    const area = areaOf(key);
    const seen = area === undefined ? [] : index.nodesIn(area);
    return {
      nodes: [...new Set([...seen, ...kept])],
      edges: area === undefined ? [] : index.edgesIn(area),
    };
  }, [key, layout, index, kept]);
}

/** Key of the rendered window, which changes only when the view passes a step. */
function windowKey(
  { transform: [x, y, zoom], width, height }: ReactFlowState,
  isSmall: boolean,
  below: number,
): string {
  if (zoom < below || width === 0) return "";
  if (isSmall) return everything;
  const from = [Math.floor(-x / zoom / step), Math.floor(-y / zoom / step)];
  const to = [Math.ceil((width - x) / zoom / step), Math.ceil((height - y) / zoom / step)];
  return [...from, ...to].join(" ");
}

function areaOf(key: string): Rect | undefined {
  if (key === "") return undefined;
  const [left = 0, top = 0, right = 0, bottom = 0] = key.split(" ").map(Number);
  const margin = step / 2;
  return {
    x: left * step - margin,
    y: top * step - margin,
    width: (right - left) * step + 2 * margin,
    height: (bottom - top) * step + 2 * margin,
  };
}
