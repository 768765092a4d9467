import { memo } from "react";
import type { CanvasEdge, CanvasFrame } from "#app/scene";

interface Props {
  readonly edges: readonly CanvasEdge[];
  readonly frames: readonly CanvasFrame[];
}

/** The lines between the boxes in sight, in one drawing below them. */
export const Edges = memo(function Edges({ edges, frames }: Props) {
  if (edges.length === 0) return null;
  return (
    <svg className="edges" width={1} height={1} aria-hidden="true">
      {frames.map(({ key, x, y, width, height }) => (
        <rect key={key} className="run-frame" {...{ x, y, width, height }} rx={8} />
      ))}
      {edges.map((edge) => (
        <path
          key={edge.id}
          className={edge.hasArrow ? "edge" : "edge tie"}
          d={edge.path}
          markerEnd={edge.hasArrow ? "url(#arrow-head)" : undefined}
        />
      ))}
    </svg>
  );
});
