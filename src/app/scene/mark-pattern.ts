import { textureSteps, tileLook } from "./glyph/texture.ts";
import type { Hue } from "./hue.ts";
import type { Paint, PatternKind, PatternPaint } from "./mark-look.ts";

/** A pattern in the hue of a mesh axis. */
export type Pattern = Omit<PatternPaint, "kind">;

/** One tile of a pattern, to be repeated over an area. */
export interface PatternTile {
  /** Side length before scaling, in pixels. */
  readonly size: number;
  readonly scale: number;
  /** Rotation in degrees. */
  readonly turn: number;
  /** SVG path of the tile's content. */
  readonly path: string;
  /** Line width; if absent, the path is filled. */
  readonly width?: number;
  readonly paint: Exclude<Paint, PatternPaint>;
}

/** Rules, posts, crosses, chevrons, bricks, rings, waves, lozenges: never 45° lines or dots. */
const axisTextures: Readonly<Record<Hue, string>> = {
  1: "M0 2.5H6",
  2: "M2.5 0V6",
  3: "M3 1V5M1 3H5",
  4: "M0 4.5L3 1.5L6 4.5",
  5: "M0 .5H6M0 3.5H6M1.5 .5V3.5M4.5 3.5V6.5",
  6: "M4.6 3a1.6 1.6 0 1 1 -3.2 0a1.6 1.6 0 1 1 3.2 0",
  7: "M0 3C1 1 2 1 3 3S5 5 6 3",
  8: "M3 .8L5.2 3L3 5.2L.8 3Z",
};

/** The hatching of copies, the crossed lines of halos, the dots of partials. */
const plainTiles = {
  hatch: { size: 5, turn: 45, width: 1.25, path: "M2.5 0V5" },
  halo: { size: 4, turn: 0, width: 1, path: "M0 0L4 4M0 4L4 0" },
  dots: {
    size: 7,
    turn: 0,
    path: "M.75 1.75a1 1 0 1 1 2 0a1 1 0 1 1 -2 0ZM4.25 5.25a1 1 0 1 1 2 0a1 1 0 1 1 -2 0Z",
  },
} as const;

/** The tile of a pattern. */
export function tileOf({ pattern, hue, step }: Pattern): PatternTile {
  if (pattern !== "texture") {
    return { ...plainTiles[pattern], scale: 1, paint: { kind: "axis", hue } };
  }
  const { scale, weight } = tileLook(hue, step);
  return {
    size: 6,
    scale,
    turn: 0,
    path: axisTextures[hue],
    width: weight / scale,
    paint: { kind: "textureInk", hue },
  };
}

/** The element id of a pattern in an SVG file or in the page. */
export function patternId({ pattern, hue, step }: Pattern): string {
  return pattern === "texture" ? `texture-${hue}-${step}` : `${pattern}-${hue}`;
}

const hues: readonly Hue[] = [1, 2, 3, 4, 5, 6, 7, 8];
const plainKinds: readonly Exclude<PatternKind, "texture">[] = ["hatch", "halo", "dots"];

/** Every pattern, ordered by hue. */
export const allPatterns: readonly Pattern[] = hues.flatMap((hue) => [
  ...textureSteps.map((step) => ({ pattern: "texture" as const, hue, step })),
  ...plainKinds.map((pattern) => ({ pattern, hue, step: 0 as const })),
]);
