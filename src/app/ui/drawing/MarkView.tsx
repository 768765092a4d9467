import type { Mark } from "#app/scene";

/** One mark of a drawing as SVG. */
export function MarkView({ mark }: { readonly mark: Mark }) {
  if (mark.kind !== "rect") return null;
  const { x, y, width, height } = mark;
  return <rect className={`mark-${mark.role}`} x={x} y={y} width={width} height={height} />;
}
