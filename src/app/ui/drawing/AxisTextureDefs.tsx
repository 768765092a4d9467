import {
  axisTextures,
  type Hue,
  haloTexture,
  type TextureStep,
  textureSteps,
  tileLook,
} from "#app/scene";
import { textureInk } from "./paint.ts";
import "./drawing.css";

const hues: readonly Hue[] = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * The patterns that drawings refer to: the texture of each axis, the hatch of copies, the crossed
 * lines of halos and the dots of partials. Rendered once per page, before anything that draws.
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
      {textureSteps.map((step) => (
        <Texture key={step} hue={hue} step={step} />
      ))}
      <pattern
        id={`hatch-${hue}`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M2.5 0V5" stroke={color} strokeWidth="1.25" />
      </pattern>
      <pattern id={`halo-${hue}`} width="4" height="4" patternUnits="userSpaceOnUse">
        <path d={haloTexture} fill="none" stroke={color} strokeWidth="1" />
      </pattern>
      <pattern id={`dots-${hue}`} width="7" height="7" patternUnits="userSpaceOnUse">
        <circle cx="1.75" cy="1.75" r="1" fill={color} />
        <circle cx="5.25" cy="5.25" r="1" fill={color} />
      </pattern>
    </>
  );
}

function Texture({ hue, step }: { readonly hue: Hue; readonly step: TextureStep }) {
  const { scale, weight } = tileLook(hue, step);
  return (
    <pattern
      id={`texture-${hue}-${step}`}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform={`scale(${scale})`}
    >
      <path
        d={axisTextures[hue]}
        fill="none"
        stroke={textureInk(hue)}
        strokeWidth={weight / scale}
      />
    </pattern>
  );
}
