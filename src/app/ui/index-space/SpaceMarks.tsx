import type { Rect } from "#app/scene";
import { cutLine, gridLines, type SpaceCut, type SpaceDrawing } from "#app/scene/index-space";
import { keyed } from "../drawing/keyed.ts";

/** The paper under the marks: the plane, the strips, lines between cells, and cuts by mesh axes. */
export function SpacePaper({
  drawing,
  cuts = [],
}: {
  readonly drawing: SpaceDrawing;
  readonly cuts?: readonly SpaceCut[];
}) {
  const { plane, strips } = drawing;
  const lines = cuts.flatMap(({ axis, at, hue }) => {
    const line = cutLine(drawing, axis, at);
    return line === undefined ? [] : [{ line, hue, key: `${axis} ${at}` }];
  });
  return (
    <>
      <Rects className="sp-back" rects={[plane, ...strips.map(({ rect }) => rect)]} />
      <g className="sp-grid">
        {keyed(gridLines(drawing)).map(({ key, item: line }) => (
          <path key={key} d={pathOf(line)} />
        ))}
      </g>
      {lines.map(({ line, hue, key }) => (
        <path key={key} className={`sp-cut a${hue}`} d={pathOf(line)} />
      ))}
    </>
  );
}

/** Rectangles that share one look. */
export function Rects({
  rects,
  className,
}: {
  readonly rects: readonly Rect[];
  readonly className: string;
}) {
  return (
    <g className={className}>
      {keyed(rects).map(({ key, item: rect }) => (
        <rect key={key} x={rect.x} y={rect.y} width={rect.width} height={rect.height} />
      ))}
    </g>
  );
}

function pathOf({ x, y, width, height }: Rect): string {
  return `M${x} ${y}l${width} ${height}`;
}
