import { memo } from "react";
import { frameLook, lineWidth, rangePlace } from "#app/scene/card";
import type { CanvasEdge, CanvasFrame } from "#app/scene/graph";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly edges: readonly CanvasEdge[];
  readonly frames: readonly CanvasFrame[];
}

/** Dim range of the tensor that a line carries, at the reader's or the producer's card. */
function EdgeRange({ edge }: { readonly edge: CanvasEdge }) {
  const look = useRangeLook(edge);
  const place = rangePlace(edge);
  if (place === undefined) return null;
  const { x, y, anchor } = place;
  return (
    <text className={look} x={x} y={y} textAnchor={anchor}>
      {edge.range}
    </text>
  );
}

/**
 * Class of an edge's range: a quiet one is emphasised if its tensor or the operator at either end
 * is selected.
 */
function useRangeLook({ from, to, tensor, isQuiet }: CanvasEdge): string {
  const isSelected = useApp(({ selection }) => {
    if (isQuiet === undefined) return false;
    const card = `operator-${selection.operator}`;
    return from === card || to === card || tensor === selection.tensor;
  });
  return `edge-range ${isQuiet === undefined || isSelected ? "" : "quiet"}`;
}

/** Lines between the boxes in view, in one SVG element below them. */
export const Edges = memo(function Edges({ edges, frames }: Props) {
  if (edges.length === 0) return null;
  return (
    <svg className="edges" width={1} height={1} aria-hidden="true">
      {frames.map(({ key, x, y, width, height }) => (
        <rect key={key} className="run-frame" {...{ x, y, width, height }} rx={frameLook.radius} />
      ))}
      {edges.map((edge) => edge.range !== undefined && <EdgeRange key={edge.id} edge={edge} />)}
      {edges.map((edge) => (
        <Line key={edge.id} path={edge.path} hasArrow={edge.hasArrow} />
      ))}
    </svg>
  );
});

const Line = memo(function Line({ path, hasArrow }: Pick<CanvasEdge, "path" | "hasArrow">) {
  return (
    <path
      className="edge"
      strokeWidth={lineWidth({ hasArrow })}
      d={path}
      markerEnd={hasArrow ? "url(#arrow-head)" : undefined}
    />
  );
});
