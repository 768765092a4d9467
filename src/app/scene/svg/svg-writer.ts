import { type TextureStep, textureShare, textureSteps, tileLook } from "../glyph/texture.ts";
import type { Hue } from "../hue.ts";
import { mixed, type SvgColours, type SvgTheme, svgColours } from "./svg-colours.ts";

export const monoFont =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
export const uiFont = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

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

/** Text as XML has it. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A number with at most two digits behind the point. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** What stands around a drawing in its file. */
export interface SvgOptions {
  readonly theme: SvgTheme;
  /** The drawing in plain words, for readers who cannot see it. */
  readonly title: string;
  /** A line below the drawing. */
  readonly caption?: string;
  /** Carried along unseen, such as the plan itself. */
  readonly metadata?: string;
}

/** The inside of a drawing. */
export interface SvgBody {
  readonly width: number;
  readonly height: number;
  readonly marks: string;
}

const margin = 12;
const captionRoom = 24;

/** A drawing as a whole SVG file: paper, title, the patterns that it uses, and what it carries. */
export function pictureFile(body: SvgBody, options: SvgOptions): string {
  const colours = svgColours[options.theme];
  const { caption = "", metadata, title } = options;
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
  return element(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
    `\n${inside.join("\n")}\n`,
  );
}

/** Rules, posts, crosses, chevrons, bricks, rings, waves, lozenges: never 45° lines or dots. */
export const axisTextures: Readonly<Record<Hue, string>> = {
  1: "M0 2.5H6",
  2: "M2.5 0V6",
  3: "M3 1V5M1 3H5",
  4: "M0 4.5L3 1.5L6 4.5",
  5: "M0 .5H6M0 3.5H6M1.5 .5V3.5M4.5 3.5V6.5",
  6: "M4.6 3a1.6 1.6 0 1 1 -3.2 0a1.6 1.6 0 1 1 3.2 0",
  7: "M0 3C1 1 2 1 3 3S5 5 6 3",
  8: "M3 .8L5.2 3L3 5.2L.8 3Z",
};

/** Crossed lines: what a device reads beyond its own part. */
export const haloTexture = "M0 0L4 4M0 4L4 0";

const hues: readonly Hue[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** The patterns that a drawing refers to, and no others. */
function definitions(marks: string, colours: SvgColours): string {
  return hues
    .flatMap((hue) => [
      ...textureSteps.map(
        (step) => [`texture-${hue}-${step}`, texture(hue, step, colours)] as const,
      ),
      [`hatch-${hue}`, hatch(hue, colours)] as const,
      [`halo-${hue}`, crossed(hue, colours)] as const,
      [`dots-${hue}`, dots(hue, colours)] as const,
    ])
    .filter(([id]) => marks.includes(`url(#${id})`))
    .map(([, text]) => text)
    .join("");
}

function pattern(id: string, size: number, inside: string, patternTransform?: string): string {
  const box = { width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform };
  return element("pattern", { id, ...box }, inside);
}

function texture(hue: Hue, step: TextureStep, colours: SvgColours): string {
  const { scale, weight } = tileLook(hue, step);
  const look = { fill: "none", stroke: textureInk(colours, hue), "stroke-width": weight / scale };
  const path = element("path", { d: axisTextures[hue], ...look });
  return pattern(`texture-${hue}-${step}`, 6, path, `scale(${short(scale)})`);
}

function hatch(hue: Hue, { axes }: SvgColours): string {
  const line = element("path", { d: "M2.5 0V5", stroke: axes[hue], "stroke-width": 1.25 });
  return pattern(`hatch-${hue}`, 5, line, "rotate(45)");
}

function crossed(hue: Hue, { axes }: SvgColours): string {
  const lines = element("path", { d: haloTexture, fill: "none", stroke: axes[hue] });
  return pattern(`halo-${hue}`, 4, lines);
}

function dots(hue: Hue, { axes }: SvgColours): string {
  const dot = (at: number) => element("circle", { cx: at, cy: at, r: 1, fill: axes[hue] });
  return pattern(`dots-${hue}`, 7, dot(1.75) + dot(5.25));
}

/** The colour of an axis' textures: its own with some ink, so that they show on every tint. */
export function textureInk(colours: SvgColours, hue: Hue): string {
  return mixed(colours.axes[hue], colours.ink, textureShare);
}

/** An axis' colour thinned with the paper. */
export function tinted(colours: SvgColours, hue: Hue, percent: number): string {
  return mixed(colours.axes[hue], colours.surface, percent);
}
