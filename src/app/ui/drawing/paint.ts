import { lookOf, type Mark, type Paint, type PatternPaint, patternId } from "#app/scene";
import { textureShare } from "#app/scene/glyph";
import { tokenOf } from "#app/scene/svg";
import type { DrawnMark } from "./joined-marks.ts";

/** SVG paint attributes. */
export interface PaintAttributes {
  readonly fill: string;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly strokeDasharray?: string;
}

/** Paint attributes of a mark, in the theme's custom properties. */
export function paintOf(mark: Exclude<Mark | DrawnMark, { kind: "text" }>): PaintAttributes {
  const { fill, stroke, width = 1, dash } = lookOf(mark);
  return {
    fill: fill === undefined ? "none" : cssOf(fill),
    ...(stroke && { stroke: cssOf(stroke) }),
    ...(stroke && width !== 1 && { strokeWidth: width }),
    ...(dash && { strokeDasharray: dash.join(" ") }),
  };
}

function cssOf(paint: Paint): string {
  return paint.kind === "pattern" ? `url(#${patternId(paint)})` : cssColour(paint);
}

/** CSS colour of a paint as a custom property, so that it follows the theme. */
export function cssColour(paint: Exclude<Paint, PatternPaint>): string {
  switch (paint.kind) {
    case "tone":
      return `var(--${tokenOf[paint.tone]})`;
    case "axis":
      return `var(--axis-${paint.hue})`;
    case "textureInk":
      return mixed(paint.hue, `${textureShare}%`, "ink");
    case "tint": {
      const { percent, isThemed } = paint;
      return mixed(
        paint.hue,
        isThemed ? `calc(${percent}% + var(--tint-more))` : `${percent}%`,
        "surface",
      );
    }
  }
}

function mixed(hue: number, share: string, other: "ink" | "surface"): string {
  return `color-mix(in oklab, var(--axis-${hue}) ${share}, var(--${other}))`;
}
