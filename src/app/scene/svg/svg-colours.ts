import { textureShare } from "../glyph/texture.ts";
import type { Hue } from "../hue.ts";
import type { Paint, PatternPaint, Tone } from "../mark-look.ts";

/** Theme of a picture; `mono` has no colours, for print: axes differ by their textures. */
export type SvgTheme = "light" | "dark" | "mono";

/** The colours of a picture, as `#rrggbb`. */
export interface SvgColours extends Readonly<Record<Tone, string>> {
  readonly canvas: string;
  readonly line: string;
  readonly faint: string;
  readonly ink3: string;
  readonly axes: Readonly<Record<Hue, string>>;
  readonly axisInks: Readonly<Record<Hue, string>>;
  /** Percentage that the theme adds to every tint. */
  readonly tintMore: number;
}

/** Neighbours also differ in darkness, since cut lines have no texture. */
const monoAxes = {
  1: "#000000",
  2: "#6e6e6e",
  3: "#2e2e2e",
  4: "#868686",
  5: "#1a1a1a",
  6: "#5a5a5a",
  7: "#444444",
  8: "#7a7a7a",
} as const;

const black = "#000000";
const blackInks = {
  1: black,
  2: black,
  3: black,
  4: black,
  5: black,
  6: black,
  7: black,
  8: black,
};

/** The colours of the themes; the style sheet's tokens have the same values for light and dark. */
export const svgColours: Readonly<Record<SvgTheme, SvgColours>> = {
  light: {
    surface: "#ffffff",
    canvas: "#f8f9fa",
    sunken: "#eceef1",
    line: "#b9c0c8",
    faint: "#dadee3",
    edge: "#7b838e",
    ink: "#15181c",
    ink2: "#434a53",
    ink3: "#5c646f",
    axes: {
      1: "#2364dc",
      2: "#db6d08",
      3: "#216e49",
      4: "#a4417d",
      5: "#339cb5",
      6: "#531c2b",
      7: "#4a4800",
      8: "#4f0480",
    },
    axisInks: {
      1: "#1f5bcb",
      2: "#a34f00",
      3: "#216e49",
      4: "#9a3a75",
      5: "#1d6f84",
      6: "#531c2b",
      7: "#4a4800",
      8: "#4f0480",
    },
    tintMore: 0,
  },
  dark: {
    surface: "#16191d",
    canvas: "#121417",
    sunken: "#1f2328",
    line: "#474e58",
    faint: "#2a2f36",
    edge: "#7d8693",
    ink: "#eceef1",
    ink2: "#bcc2cb",
    ink3: "#979fab",
    axes: {
      1: "#84abe9",
      2: "#f4c17c",
      3: "#309e5b",
      4: "#c06291",
      5: "#a3ecef",
      6: "#ea8c8c",
      7: "#92ae00",
      8: "#8b6fe8",
    },
    axisInks: {
      1: "#84abe9",
      2: "#f4c17c",
      3: "#46b573",
      4: "#d27ba6",
      5: "#a3ecef",
      6: "#ea8c8c",
      7: "#92ae00",
      8: "#a48df0",
    },
    tintMore: 8,
  },
  mono: {
    surface: "#ffffff",
    canvas: "#ffffff",
    sunken: "#eeeeee",
    line: "#bbbbbb",
    faint: "#dddddd",
    edge: "#808080",
    ink: "#000000",
    ink2: "#404040",
    ink3: "#606060",
    axes: { ...monoAxes },
    axisInks: { ...blackInks },
    tintMore: 0,
  },
};

/** The name of the style sheet's token for each tone. */
export const tokenOf: Readonly<Record<Tone, string>> = {
  surface: "surface",
  sunken: "sunken",
  edge: "line-strong",
  ink: "ink",
  ink2: "ink-2",
};

/** The colour of a paint, as `#rrggbb`; patterns have no single colour. */
export function colourOf(paint: Exclude<Paint, PatternPaint>, colours: SvgColours): string {
  const { axes, ink, surface, tintMore } = colours;
  switch (paint.kind) {
    case "tone":
      return colours[paint.tone];
    case "axis":
      return axes[paint.hue];
    case "textureInk":
      return mixColours(axes[paint.hue], ink, textureShare);
    case "tint":
      return mixColours(axes[paint.hue], surface, paint.percent + (paint.isThemed ? tintMore : 0));
  }
}

type Triple = readonly [number, number, number];

/**
 * Two colours mixed in Oklab (Ottosson 2020), like CSS's `color-mix(in oklab, …)`.
 *
 * @param percent share of the first colour, 0 to 100; clamped
 */
export function mixColours(first: string, second: string, percent: number): string {
  const share = Math.min(100, Math.max(0, percent)) / 100;
  const [a, b] = [oklabOf(first), oklabOf(second)];
  const between = (at: 0 | 1 | 2) => share * a[at] + (1 - share) * b[at];
  return hexOf([between(0), between(1), between(2)]);
}

function oklabOf(hex: string): Triple {
  const [red, green, blue] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(hex.slice(at, at + 2), 16)),
  );
  const [r, g, b] = [red ?? 0, green ?? 0, blue ?? 0];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function hexOf([lightness, a, b]: Triple): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${channels.map((value) => byteOf(value).toString(16).padStart(2, "0")).join("")}`;
}

function linear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function byteOf(value: number): number {
  const coded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, coded)));
}
