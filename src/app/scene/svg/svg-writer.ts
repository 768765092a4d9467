import { uiFont } from "../fonts.ts";
import type { Hue } from "../hue.ts";
import { allPatterns, type Pattern, patternId, tileOf } from "../mark-pattern.ts";
import { colourOf, mixColours, type SvgColours, type SvgTheme, svgColours } from "./svg-colours.ts";

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element of an SVG file as text; attributes without a value are left out. */
export function element(name: string, attributes: Attributes, inside?: string): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}="${escaped(typeof value === "number" ? short(value) : `${value}`)}"`,
    )
    .join("");
  return inside === undefined ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`;
}

/** Text escaped for XML. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A number with at most two decimals. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Options of an SVG file around its drawing. */
export interface SvgOptions {
  readonly theme: SvgTheme;
  /** Description of the drawing, for screen readers. */
  readonly title: string;
  /** A line below the drawing. */
  readonly caption?: string;
  /** Invisible content of the file, such as the link of the plan. */
  readonly metadata?: string;
  /** Width of the picture on paper; without it the picture has its size in pixels. */
  readonly millimetres?: number;
}

/** The content of a drawing and its size. */
export interface SvgBody {
  readonly width: number;
  readonly height: number;
  readonly marks: string;
}

const margin = 12;
const captionRoom = 24;

/** A whole SVG file: background, title, the patterns in use, the drawing, and metadata. */
export function pictureFile(body: SvgBody, options: SvgOptions): string {
  const colours = svgColours[options.theme];
  const { caption = "", metadata, title, millimetres } = options;
  const width = Math.ceil(Math.max(body.width, caption.length * 6.6) + 2 * margin);
  const height = Math.ceil(body.height + 2 * margin + (caption === "" ? 0 : captionRoom));
  const inside = [
    element("title", {}, escaped(title)),
    ...(metadata === undefined ? [] : [element("metadata", {}, escaped(metadata))]),
    element("defs", {}, definitions(body.marks, colours)),
    element("rect", { width, height, fill: colours.surface }),
    element("g", { transform: `translate(${margin} ${margin})` }, body.marks),
    ...(caption === ""
      ? []
      : [
          element(
            "text",
            {
              x: margin,
              y: height - margin,
              fill: colours.ink,
              "font-family": uiFont,
              "font-size": 12,
            },
            escaped(caption),
          ),
        ]),
  ];
  const size =
    millimetres === undefined
      ? { width, height }
      : { width: `${millimetres}mm`, height: `${short((millimetres * height) / width)}mm` };
  return element(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${width} ${height}` },
    `\n${inside.join("\n")}\n`,
  );
}

/** Definitions of the patterns that a drawing refers to. */
function definitions(marks: string, colours: SvgColours): string {
  return allPatterns
    .filter((pattern) => marks.includes(`url(#${patternId(pattern)})`))
    .map((pattern) => patternSvg(pattern, colours))
    .join("");
}

function patternSvg(pattern: Pattern, colours: SvgColours): string {
  const { size, scale, turn, path, width, paint } = tileOf(pattern);
  const colour = colourOf(paint, colours);
  const look =
    width === undefined
      ? { fill: colour }
      : { fill: "none", stroke: colour, "stroke-width": width };
  const moves = [
    ...(scale === 1 ? [] : [`scale(${short(scale)})`]),
    ...(turn === 0 ? [] : [`rotate(${turn})`]),
  ];
  const box = { width: size, height: size, patternUnits: "userSpaceOnUse" };
  return element(
    "pattern",
    {
      id: patternId(pattern),
      ...box,
      patternTransform: moves.length === 0 ? undefined : moves.join(" "),
    },
    element("path", { d: path, ...look }),
  );
}

/** An axis' colour mixed with the paper. */
export function tinted(colours: SvgColours, hue: Hue, percent: number): string {
  return mixColours(colours.axes[hue], colours.surface, percent);
}
