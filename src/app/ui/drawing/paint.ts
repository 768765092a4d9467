import { lookOf, type Mark, type Paint, type PatternPaint, patternId } from "#app/scene";
import { textureShare } from "#app/scene/glyph";
import { tokenOf } from "#app/scene/svg";
import type { DrawnMark } from "./joined-marks.ts";

/** The SVG attributes of a look. */
export interface PaintAttributes {
  readonly fill: string;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly strokeDasharray?: string;
}

/** The look of a mark as attributes of SVG, in the colours of the page's theme. */
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

/** A paint as a token of the style sheet, so that it changes with the theme. */
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
