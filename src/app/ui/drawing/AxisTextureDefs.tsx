import { allPatterns, type Pattern, patternId, tileOf } from "#app/scene";
import { headCorners } from "#app/scene/card";
import { cssColour } from "./paint.ts";
import "./drawing.css";

/**
 * The patterns that drawings refer to: the texture of each axis, the hatch of copies, the crossed
 * lines of halos and the dots of partials. Rendered once per page, before anything that draws.
 */
export function AxisTextureDefs() {
  return (
    <svg width="0" height="0" style={{ position: "absolute" }} aria-hidden="true">
      <defs>
        {allPatterns.map((pattern) => (
          <PatternDef key={patternId(pattern)} pattern={pattern} />
        ))}
        <ArrowHead />
      </defs>
    </svg>
  );
}

/** An arrowhead in the width and colour of its line. */
function ArrowHead() {
  const corners = headCorners(1);
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  return (
    <marker
      id="arrow-head"
      viewBox={`${left} ${top} ${width} ${height}`}
      refX="0"
      refY="0"
      markerWidth={width}
      markerHeight={height}
      orient="auto-start-reverse"
    >
      <path d={`M${corners.map(({ x, y }) => `${x} ${y}`).join("L")}Z`} fill="context-stroke" />
    </marker>
  );
}

function PatternDef({ pattern }: { readonly pattern: Pattern }) {
  const { size, scale, turn, path, width, paint } = tileOf(pattern);
  const colour = cssColour(paint);
  const look =
    width === undefined ? { fill: colour } : { fill: "none", stroke: colour, strokeWidth: width };
  return (
    <pattern
      id={patternId(pattern)}
      width={size}
      height={size}
      patternUnits="userSpaceOnUse"
      patternTransform={`rotate(${turn}) scale(${scale})`}
    >
      <path d={path} {...look} />
    </pattern>
  );
}
