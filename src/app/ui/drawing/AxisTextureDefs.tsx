import type { Hue } from "#app/scene";
import "./drawing.css";

const hues: readonly Hue[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** Rules, posts, crosses, chevrons, bricks, rings, waves, lozenges: never 45° lines or dots. */
const textures: Readonly<Record<Hue, string>> = {
  1: "M0 2.5H6",
  2: "M2.5 0V6",
  3: "M3 1V5M1 3H5",
  4: "M0 4.5L3 1.5L6 4.5",
  5: "M0 .5H6M0 3.5H6M1.5 .5V3.5M4.5 3.5V6.5",
  6: "M4.6 3a1.6 1.6 0 1 1 -3.2 0a1.6 1.6 0 1 1 3.2 0",
  7: "M0 3C1 1 2 1 3 3S5 5 6 3",
  8: "M3 .8L5.2 3L3 5.2L.8 3Z",
};

/**
 * The patterns that drawings refer to: the texture of each axis, the hatch of copies and the dots
 * of partials. Rendered once per page, before anything that draws.
 */
export function AxisTextureDefs() {
  return (
    <svg width="0" height="0" style={{ position: "absolute" }} aria-hidden="true">
      <defs>
        {hues.map((hue) => (
          <AxisPatterns key={hue} hue={hue} />
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

function AxisPatterns({ hue }: { readonly hue: Hue }) {
  const color = `var(--axis-${hue})`;
  return (
    <>
      <pattern id={`texture-${hue}`} width="6" height="6" patternUnits="userSpaceOnUse">
        <path d={textures[hue]} fill="none" stroke={color} strokeWidth="1" />
      </pattern>
      <pattern
        id={`hatch-${hue}`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M2.5 0V5" stroke={color} strokeWidth="1.25" />
      </pattern>
      <pattern id={`dots-${hue}`} width="7" height="7" patternUnits="userSpaceOnUse">
        <circle cx="1.75" cy="1.75" r="1" fill={color} />
        <circle cx="5.25" cy="5.25" r="1" fill={color} />
      </pattern>
    </>
  );
}
