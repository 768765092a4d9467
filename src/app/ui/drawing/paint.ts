import { type Mark, textureShare } from "#app/scene";
import type { DrawnMark } from "./joined-marks.ts";

/** The SVG paint of a mark, where its class alone does not say it: everything with a hue. */
export interface Paint {
  readonly fill?: string;
  readonly stroke?: string;
}

type Painted = Pick<Mark | DrawnMark, "kind" | "role" | "hue" | "tint" | "step">;

const rulerMore = 40;

/** Fill or stroke of a mark from its role, hue and coordinate (mock's `--axis-n` and patterns). */
export function paintOf(mark: Painted): Paint {
  const { kind, role, hue } = mark;
  const isLine = kind === "line" || kind === "lines";
  if (role === "back" && isLine) return { fill: "none", stroke: "var(--surface)" };
  if (hue === undefined) return {};
  switch (role) {
    case "tint":
      return { fill: mixed(hue, `calc(${mark.tint ?? 0}% + var(--tint-more))`) };
    case "ruler":
      return { fill: mixed(hue, `${(mark.tint ?? 0) + rulerMore}%`) };
    case "texture":
      return isLine
        ? { fill: "none", stroke: textureInk(hue) }
        : { fill: `url(#texture-${hue}-${mark.step ?? 0})` };
    case "hatch":
    case "cardEdge":
      return { fill: `url(#hatch-${hue})` };
    case "dots":
    case "brokenEdge":
      return { fill: `url(#dots-${hue})` };
    case "halo":
      return { fill: `url(#halo-${hue})`, stroke: `var(--axis-${hue})` };
    case "cut":
      return { stroke: `var(--axis-${hue})` };
    default:
      return {};
  }
}

/** The colour of an axis' textures: its own with some ink, so that they show on every tint. */
export function textureInk(hue: number): string {
  return `color-mix(in oklab, var(--axis-${hue}) ${textureShare}%, var(--ink))`;
}

function mixed(hue: number, share: string): string {
  return `color-mix(in oklab, var(--axis-${hue}) ${share}, var(--surface))`;
}
