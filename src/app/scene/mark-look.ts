import type { TextureStep } from "./glyph/texture.ts";
import type { Hue } from "./hue.ts";
import type { Mark, MarkRole } from "./mark.ts";

/** A colour that represents no mesh axis: ink, paper and tones between. */
export type Tone = "surface" | "sunken" | "edge" | "ink" | "ink2";

/** Kinds of repeated patterns that fill an area. */
export type PatternKind = "texture" | "hatch" | "dots" | "halo";

/**
 * The paint of a line or an area: a tone; the colour of a mesh axis; that colour mixed with paper
 * (`tint`, to a percentage) or with some ink (`textureInk`); or a pattern.
 */
export type Paint =
  | { readonly kind: "tone"; readonly tone: Tone }
  | { readonly kind: "axis" | "textureInk"; readonly hue: Hue }
  | {
      readonly kind: "tint";
      readonly hue: Hue;
      readonly percent: number;
      /** Whether the theme adds its own percentage. */
      readonly isThemed: boolean;
    }
  | PatternPaint;

/** A pattern in the colour of a mesh axis; `step` selects one of the axis' textures. */
export interface PatternPaint {
  readonly kind: "pattern";
  readonly pattern: PatternKind;
  readonly hue: Hue;
  readonly step: TextureStep;
}

/** The look of a mark; a fill or stroke that is absent is not painted. */
export interface Look {
  readonly fill?: Paint;
  readonly stroke?: Paint;
  /** Width of the stroke, in CSS pixels. */
  readonly width?: number;
  /** Alternating lengths of dashes and gaps. */
  readonly dash?: readonly number[];
}

/** A role's entry in the table: names of tones, or `axis` and patterns in the mark's own hue. */
interface RoleLook {
  readonly fill?: Tone | PatternKind | "tint" | "bar";
  readonly stroke?: Tone | "axis";
  readonly width?: number;
  readonly dash?: readonly number[];
}

const broken = { stroke: "ink2", width: 1.1, dash: [3, 2.4] } as const;

/** The look of each role of a mark, on every screen and in every file. */
const roleLooks: Readonly<Record<Exclude<MarkRole, "text">, RoleLook>> = {
  back: { fill: "surface" },
  whole: { fill: "sunken" },
  tint: { fill: "tint" },
  texture: { fill: "texture" },
  hatch: { fill: "hatch" },
  dots: { fill: "dots" },
  halo: { fill: "halo", stroke: "axis" },
  cut: { stroke: "axis" },
  ruler: { fill: "bar" },
  outline: { stroke: "edge" },
  broken,
  cardEdge: { fill: "hatch", stroke: "edge" },
  brokenEdge: { fill: "dots", ...broken },
  ghost: { stroke: "edge", dash: [1.5, 2] },
  dot: { fill: "ink" },
};

/** Percentage by which a ruler's bar is darker than the tint beside it. */
const rulerMore = 40;

/** Strokes of lines whose role otherwise fills areas. */
const lineStrokes: Readonly<Partial<Record<MarkRole, Tone | "textureInk">>> = {
  back: "surface",
  texture: "textureInk",
};

/** The looks of text inside a drawing, in the monospaced face: device ids and dim names. */
export const textLooks = {
  id: { size: 10, weight: 600, ink: "ink", halo: 3 },
  name: { size: 11, weight: 500, ink: "ink2", halo: 0 },
} as const;

/** The fields of a mark that determine its look; also for several marks joined into one. */
interface Marked extends Pick<Mark, "role" | "hue" | "tint" | "step"> {
  readonly kind: string;
  readonly thickness?: number;
  readonly dash?: readonly number[];
}

/**
 * The look of a mark. A mark without a hue gets no fill in an axis' colour; an axis stroke falls
 * back to the `edge` tone.
 */
export function lookOf(mark: Marked): Look {
  const { role, hue, thickness } = mark;
  if (role === "text") return { fill: { kind: "tone", tone: "ink" } };
  const { stroke, width = 1, dash } = roleLooks[role];
  if (thickness !== undefined) return lineLook(mark, thickness);
  const fill = fillOf(mark, roleLooks[role].fill);
  const painted = stroke && strokeOf(stroke, hue);
  return {
    ...(fill && { fill }),
    ...(painted && { stroke: painted, width, ...(dash && { dash }) }),
  };
}

/** The look of a line, whose width and dash come from the mark itself. */
function lineLook({ role, hue, dash }: Marked, width: number): Look {
  const tone = role === "text" ? undefined : (lineStrokes[role] ?? roleLooks[role].stroke);
  const stroke = tone && strokeOf(tone, hue);
  return stroke === undefined ? {} : { stroke, width, ...(dash && { dash }) };
}

function strokeOf(stroke: Tone | "axis" | "textureInk", hue: Hue | undefined): Paint | undefined {
  switch (stroke) {
    case "axis":
      return hue === undefined ? { kind: "tone", tone: "edge" } : { kind: "axis", hue };
    case "textureInk":
      return hue && { kind: "textureInk", hue };
    default:
      return { kind: "tone", tone: stroke };
  }
}

function fillOf({ hue, tint = 0, step = 0 }: Marked, fill: RoleLook["fill"]): Paint | undefined {
  switch (fill) {
    case undefined:
      return undefined;
    case "tint":
      return hue && { kind: "tint", hue, percent: tint, isThemed: true };
    case "bar":
      return hue && { kind: "tint", hue, percent: tint + rulerMore, isThemed: false };
    case "texture":
    case "hatch":
    case "dots":
    case "halo":
      return hue && { kind: "pattern", pattern: fill, hue, step: fill === "texture" ? step : 0 };
    default:
      return { kind: "tone", tone: fill };
  }
}
