import type { CanvasLayout } from "#app/scene";

/** The lines between the boxes, in one drawing below them. */
export function Edges({ layout }: { readonly layout: CanvasLayout }) {
  return (
    <svg className="edges" width={layout.width} height={layout.height} aria-hidden="true">
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0 0.5 8 4 0 7.5Z" />
        </marker>
      </defs>
      {layout.edges.map((edge) => (
        <path
          key={edge.id}
          className={edge.hasArrow ? "edge" : "edge tie"}
          d={edge.path}
          markerEnd={edge.hasArrow ? "url(#arrow)" : undefined}
        />
      ))}
    </svg>
  );
}
