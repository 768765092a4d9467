import { useStore as useFlowStore, useReactFlow } from "@xyflow/react";
import { useEffect, useRef } from "react";
import type { CanvasLayout } from "#app/scene";
import type { Placed } from "#app/state";

/** Room around the graph beyond its own, and above it for the tools, in CSS pixels. */
const margin = 4;
const toolRoom = 44;

/** Where a graph stands when it is new: its width in sight, its top at the top. */
export function firstView(layout: CanvasLayout, width: number, height: number) {
  const fit = Math.min((width - 2 * margin) / layout.width, (height - 2 * margin) / layout.height);
  const byWidth = (width - 2 * margin) / layout.width;
  const zoom = Math.min(1, Math.max(fit, Math.min(byWidth, 0.8)));
  const x = (width - layout.width * zoom) / 2;
  const spare = height - layout.height * zoom;
  const y = spare > 2 * toolRoom ? Math.max(toolRoom, spare / 3) : Math.max(margin, spare / 2);
  return { x: Math.max(margin, x), y: Math.min(y, toolRoom), zoom };
}

/** Brings a new graph into view; an edit of the same graph keeps zoom and place. */
export function useFirstView({ of, layout }: Placed): void {
  const { setViewport } = useReactFlow();
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const seen = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (width === 0 || height === 0) return;
    const operators = new Set<string>(of.graph.operators.map(({ id, call }) => `${id} ${call}`));
    const isSame = seen.current !== undefined && overlap(seen.current, operators) >= 0.5;
    seen.current = operators;
    if (!isSame) void setViewport(firstView(layout, width, height));
  }, [of, layout, width, height, setViewport]);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((name) => b.has(name)).length;
  return shared / Math.max(1, Math.max(a.size, b.size));
}
