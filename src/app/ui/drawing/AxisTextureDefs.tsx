import { allPatterns, type Pattern, patternId, tileOf } from "#app/scene";
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
        <marker
          id="arrow-head"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0 .8L7.4 4L0 7.2Z" fill="context-stroke" />
        </marker>
      </defs>
    </svg>
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
