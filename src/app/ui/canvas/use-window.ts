import { type ReactFlowState, useStore as useFlowStore } from "@xyflow/react";
import { useMemo } from "react";
import type { Rect } from "#app/scene";
import type { CanvasEdge, CanvasLayout, CanvasNode, CanvasWindow } from "#app/scene/graph";
import { farBelow } from "./far-painter.ts";

/** The most near boxes that are all kept on the page. */
const few = 150;
const everything = "all";

/** The window moves by steps of this many pixels of the canvas, with as much around what is seen. */
const step = 320;

/** What is a box of the page now: all in sight when near, from afar only what is kept. */
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

/** Changes only when the window moves on by a step. */
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
