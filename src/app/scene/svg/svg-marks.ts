import { monoFont } from "../fonts.ts";
import type { Mark, Point } from "../mark.ts";
import { type Look, lookOf, type Paint, textLooks } from "../mark-look.ts";
import { patternId } from "../mark-pattern.ts";
import type { LabelSegment } from "../text/label.ts";
import { colourOf, type SvgColours } from "./svg-colours.ts";
import { element, escaped, short } from "./svg-writer.ts";

/** The marks of a drawing as SVG, with every look as explicit attributes. */
export function marksSvg(marks: readonly Mark[], colours: SvgColours): string {
  return marks.map((mark) => markSvg(mark, colours)).join("");
}

function markSvg(mark: Mark, colours: SvgColours): string {
  const look = { ...attributesOf(lookOf(mark), colours), opacity: mark.opacity };
  switch (mark.kind) {
    case "rect": {
      const { x, y, width, height } = mark;
      return element("rect", { x, y, width, height, ...look });
    }
    case "path":
      return element("path", { d: `M${mark.points.map(pointText).join("L")}Z`, ...look });
    case "line": {
      const d = `M${pointText(mark.from)}L${pointText(mark.to)}`;
      return element("path", { d, ...look });
    }
    case "circle": {
      const { center, radius } = mark;
      return element("circle", { cx: center.x, cy: center.y, r: radius, ...look });
    }
    case "text":
      return textMark(mark, colours);
  }
}

type Attributes = Readonly<Record<string, string | number>>;

function attributesOf({ fill, stroke, width, dash }: Look, colours: SvgColours): Attributes {
  return {
    fill: fill === undefined ? "none" : paintSvg(fill, colours),
    ...(stroke && { stroke: paintSvg(stroke, colours) }),
    ...(width !== undefined && width !== 1 && { "stroke-width": width }),
    ...(dash && { "stroke-dasharray": dash.join(" ") }),
  };
}

function paintSvg(paint: Paint, colours: SvgColours): string {
  return paint.kind === "pattern" ? `url(#${patternId(paint)})` : colourOf(paint, colours);
}

function textMark(mark: Extract<Mark, { kind: "text" }>, colours: SvgColours): string {
  const { at, anchor, style, text } = mark;
  const { size, weight, ink, halo } = textLooks[style];
  const place = { x: at.x, y: at.y, "text-anchor": anchor, "font-family": monoFont };
  const look = { fill: colours[ink], "font-size": size, "font-weight": weight };
  const round = {
    "paint-order": "stroke",
    stroke: colours.surface,
    "stroke-width": halo,
    "stroke-linejoin": "round",
  };
  return element("text", { ...place, ...look, ...(halo > 0 && round) }, escaped(text));
}

/** A label as `tspan`s: axis names in their ink. */
export function segmentsSvg(segments: readonly LabelSegment[], colours: SvgColours): string {
  return segments
    .map((segment) =>
      segment.kind === "plain"
        ? escaped(segment.text)
        : element(
            "tspan",
            { fill: colours.axisInks[segment.hue], "font-weight": 600 },
            escaped(segment.text),
          ),
    )
    .join("");
}

/** A closed area in one colour. */
export function areaSvg(corners: readonly Point[], fill: string): string {
  return element("path", { d: `M${corners.map(pointText).join("L")}Z`, fill });
}

function pointText({ x, y }: Point): string {
  return `${short(x)} ${short(y)}`;
}
