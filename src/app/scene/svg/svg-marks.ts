import type { Mark, Point } from "../mark.ts";
import type { LabelSegment } from "../text/label.ts";
import type { SvgColours } from "./svg-colours.ts";
import { element, escaped, monoFont, short, textureInk, tinted } from "./svg-writer.ts";

const rulerMore = 40;

/** The marks of a drawing as SVG, with every look written out. */
export function marksSvg(marks: readonly Mark[], colours: SvgColours): string {
  return marks.map((mark) => markSvg(mark, colours)).join("");
}

function markSvg(mark: Mark, colours: SvgColours): string {
  const look = { ...lookOf(mark, colours), opacity: mark.opacity };
  switch (mark.kind) {
    case "rect": {
      const { x, y, width, height } = mark;
      return element("rect", { x, y, width, height, ...look });
    }
    case "path":
      return element("path", { d: `M${mark.points.map(pointText).join("L")}Z`, ...look });
    case "line": {
      const d = `M${pointText(mark.from)}L${pointText(mark.to)}`;
      const dash = mark.dash?.join(" ");
      return element("path", {
        ...{ d, ...look },
        "stroke-width": mark.thickness,
        "stroke-dasharray": dash,
      });
    }
    case "circle": {
      const { center, radius } = mark;
      return element("circle", { cx: center.x, cy: center.y, r: radius, ...look });
    }
    case "text":
      return textMark(mark, colours);
  }
}

type Look = Readonly<Record<string, string | number>>;

const dashed = { fill: "none", "stroke-width": 1.1, "stroke-dasharray": "3 2.4" };

/** Fill and stroke by what a mark says; the page's style sheet says the same. */
function lookOf(mark: Mark, colours: SvgColours): Look {
  const { role, hue } = mark;
  const tint = mark.tint ?? 0;
  switch (role) {
    case "back":
      return mark.kind === "line"
        ? { fill: "none", stroke: colours.surface }
        : { fill: colours.surface };
    case "whole":
      return { fill: colours.sunken };
    case "tint":
      return { fill: hue ? tinted(colours, hue, tint + colours.tintMore) : colours.sunken };
    case "ruler":
      return { fill: hue ? tinted(colours, hue, tint + rulerMore) : colours.edge };
    case "texture":
      if (hue === undefined) return { fill: "none" };
      return mark.kind === "line"
        ? { fill: "none", stroke: textureInk(colours, hue) }
        : { fill: `url(#texture-${hue}-${mark.step ?? 0})` };
    case "hatch":
    case "dots":
      return { fill: hue ? `url(#${role}-${hue})` : "none" };
    case "halo": {
      const colour = hue ? colours.axes[hue] : colours.edge;
      return { fill: hue ? `url(#halo-${hue})` : "none", stroke: colour, "stroke-width": 1 };
    }
    case "cut":
      return { fill: "none", stroke: hue ? colours.axes[hue] : colours.edge };
    case "outline":
      return { fill: "none", stroke: colours.edge, "stroke-width": 1 };
    case "cardEdge":
      return { fill: hue ? `url(#hatch-${hue})` : "none", stroke: colours.edge, "stroke-width": 1 };
    case "broken":
      return { ...dashed, stroke: colours.ink2 };
    case "brokenEdge":
      return { ...dashed, fill: hue ? `url(#dots-${hue})` : "none", stroke: colours.ink2 };
    case "ghost":
      return { fill: "none", stroke: colours.edge, "stroke-dasharray": "1.5 2" };
    case "dot":
    case "text":
      return { fill: colours.ink };
  }
}

function textMark(mark: Extract<Mark, { kind: "text" }>, colours: SvgColours): string {
  const { at, anchor, style, text } = mark;
  const place = { x: at.x, y: at.y, "text-anchor": anchor, "font-family": monoFont };
  if (style === "name") {
    const look = { fill: colours.ink2, "font-size": 11, "font-weight": 500 };
    return element("text", { ...place, ...look }, escaped(text));
  }
  const halo = { stroke: colours.surface, "stroke-width": 3, "stroke-linejoin": "round" };
  const look = { fill: colours.ink, "font-size": 10, "font-weight": 600, "paint-order": "stroke" };
  return element("text", { ...place, ...look, ...halo }, escaped(text));
}

/** A label as the inside of a `text`: axis names in their ink. */
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

/** The head of an arrow whose line ends at a point, coming from a direction. */
export function arrowHead({ x, y }: Point, [dx, dy]: readonly [number, number], fill: string) {
  const [back, side] = [6.5, 3.2];
  const corners: readonly Point[] = [
    { x, y },
    { x: x - dx * back - dy * side, y: y - dy * back - dx * side },
    { x: x - dx * back + dy * side, y: y - dy * back + dx * side },
  ];
  return element("path", { d: `M${corners.map(pointText).join("L")}Z`, fill });
}

function pointText({ x, y }: Point): string {
  return `${short(x)} ${short(y)}`;
}
