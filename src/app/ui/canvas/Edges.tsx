import type { CanvasLayout } from "#app/scene";

/** The lines between the boxes, in one drawing below them. */
export function Edges({ layout }: { readonly layout: CanvasLayout }) {
  return (
    <svg className="edges" width={layout.width} height={layout.height} aria-hidden="true">
      {layout.frames.map(({ key, x, y, width, height }) => (
        <rect key={key} className="run-frame" {...{ x, y, width, height }} rx={8} />
      ))}
      {layout.edges.map((edge) => (
        <path
          key={edge.id}
          className={edge.hasArrow ? "edge" : "edge tie"}
          d={edge.path}
          markerEnd={edge.hasArrow ? "url(#arrow-head)" : undefined}
        />
      ))}
    </svg>
  );
}
