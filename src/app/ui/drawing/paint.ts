import type { Mark } from "#app/scene";

/** The SVG paint of a mark, where its class alone does not say it: everything with a hue. */
export interface Paint {
  readonly fill?: string;
  readonly stroke?: string;
}

const rulerMore = 40;

/** Fill or stroke of a mark from its role, hue and coordinate (mock's `--axis-n` and patterns). */
export function paintOf(mark: Pick<Mark, "role" | "hue" | "tint">): Paint {
  const { role, hue } = mark;
  if (hue === undefined) return {};
  switch (role) {
    case "tint":
      return { fill: mixed(hue, `calc(${mark.tint ?? 0}% + var(--tint-more))`) };
    case "ruler":
      return { fill: mixed(hue, `${(mark.tint ?? 0) + rulerMore}%`) };
    case "texture":
      return { fill: `url(#texture-${hue})` };
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

function mixed(hue: number, share: string): string {
  return `color-mix(in oklab, var(--axis-${hue}) ${share}, var(--surface))`;
}
