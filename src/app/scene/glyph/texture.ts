/**
 * One of the four textures of an axis. They differ in more than weight, so that neighbours are
 * distinct without colour or lightness: open, close, open and heavy, close and heavy.
 */
export type TextureStep = 0 | 1 | 2 | 3;

/** All steps, in the order in which coordinates take them. */
export const textureSteps: readonly TextureStep[] = [0, 1, 2, 3];

/**
 * The texture of a coordinate on an axis of `size`: the four in turn. No coordinate has the texture
 * of its neighbour, nor the last that of the first, its neighbour in nested cuts.
 */
export function textureStep(digit: number, size: number): TextureStep {
  const wraps = size > 1 && size % textureSteps.length === 1;
  return wraps && digit === size - 1 ? 2 : (textureSteps[digit % textureSteps.length] ?? 0);
}

/** Lines along a stripe too narrow for the texture of its axis. */
export interface FineLook {
  readonly thickness: number;
  /** Alternating lengths of dashes and gaps; a solid line if absent. */
  readonly dash?: readonly number[];
}

/**
 * Line styles for the steps: a thin line, dashes, short dashes, long broad dashes, scaled to the
 * stripe's width in CSS pixels.
 */
export function fineLook(step: TextureStep, width: number): FineLook {
  switch (step) {
    case 0:
      return { thickness: within(width * 0.22, 0.7, 1.5) };
    case 1:
      return { thickness: within(width * 0.5, 1, 4), dash: [7, 3] };
    case 2:
      return { thickness: within(width * 0.5, 1, 4), dash: [2, 2] };
    case 3:
      return { thickness: within(width * 0.62, 1.25, 6), dash: [11, 2] };
  }
}

/** Scale of an axis' texture tile, and the weight of its lines in CSS pixels. */
export interface TileLook {
  readonly scale: number;
  readonly weight: number;
}

/**
 * The tile of an axis' texture at a step; small shapes are scaled up so that they do not become
 * dots.
 */
export function tileLook(hue: number, step: TextureStep): TileLook {
  const isShape = hue === 6 || hue === 8;
  const [open, close] = isShape ? [1.6, 1] : [4 / 3, 0.75];
  const looks: readonly TileLook[] = [
    { scale: open, weight: 0.75 },
    { scale: close, weight: isShape ? 0.8 : 0.6 },
    { scale: open, weight: 2 },
    { scale: close, weight: 1.3 },
  ];
  return looks[step] ?? { scale: open, weight: 0.75 };
}

/** Percentage of the axis' own colour in its texture lines; the rest is ink. */
export const textureShare = 90;

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
