import type { Hue } from "../hue.ts";
import type { Mark, Rect } from "../mark.ts";
import type { DimSlots, Slot } from "./dim-slots.ts";
import { fineLook, textureStep } from "./texture.ts";

/** A coordinate on a mesh axis: it fills a block, or is a strip along its edge. */
export interface Coordinate {
  readonly hue: Hue;
  readonly digit: number;
  readonly size: number;
}

/** The look of a drawing's blocks. */
export interface CellLook {
  /** Hues of partial axes: tints become paler and dots of these hues cover them. */
  readonly partialHues: readonly Hue[];
  /** Hue of the hatching for copies of an unsharded tensor. */
  readonly hatch: Hue | undefined;
}

/**
 * The coordinates that a block shows: one fills it, the others are strips along its leading edges.
 */
export interface Shown {
  readonly fill: Coordinate | undefined;
  readonly strips: readonly { readonly edge: "top" | "left"; readonly coordinate: Coordinate }[];
}

/**
 * Width (px) from which blocks show the texture of their axis; narrower ones show lines instead.
 */
const textureFrom = 12;
const mostStrip = 6;
/** Share of a block's side for all its strips together, and the least width (px) of one strip. */
const stripShare = 0.34;
const leastStrip = 1.5;
/**
 * The larger share and least width of strips on narrow blocks, where the cut line covers half a
 * strip.
 */
const [narrowShare, seenStrip] = [0.42, 2.4];
const mostTints = 8;

/** The coordinates that a slot has along the axes of its dim, major first. */
export function coordinatesIn(slots: DimSlots, slot: Slot): readonly Coordinate[] {
  return slots.parts.flatMap((part, at) =>
    part.hue === undefined ? [] : [{ hue: part.hue, digit: slot.digits[at] ?? 0, size: part.size }],
  );
}

/** Percent of the axis' colour: 16 at the first coordinate, 50 at the last, in eight steps at most. */
export function tintOf({ digit, size }: Pick<Coordinate, "digit" | "size">): number {
  const [level, levels] =
    size <= mostTints ? [digit, size] : [Math.floor((digit * mostTints) / size), mostTints];
  return Math.round(16 + (34 * level) / Math.max(levels - 1, 1));
}

/** The thickness of each of `count` strips on a side of a block; 0 if there is no room. */
export function stripThickness(side: number, count: number): number {
  const share = Math.max(side * stripShare, Math.min(side * narrowShare, seenStrip));
  const thick = Math.min(mostStrip, share / Math.max(count, 1));
  return thick < leastStrip ? 0 : thick;
}

/** The marks of a separate block: fill and strips, hatching of copies, dots of partials. */
export function cellMarks(area: Rect, { fill, strips }: Shown, look: CellLook): readonly Mark[] {
  const isPale = look.partialHues.length > 0;
  const isWhole = fill === undefined && strips.length === 0;
  return [
    ...(fill === undefined ? [wholeMark(area, isPale)] : fillMarks(area, fill, { isPale })),
    ...edgeMarks(area, strips, isPale),
    ...overMarks(area, { ...look, hatch: isWhole ? look.hatch : undefined }),
  ];
}

/** Hatch and dots over an area. */
export function overMarks(area: Rect, { hatch, partialHues }: CellLook): readonly Mark[] {
  const dots = partialHues.map((hue): Mark => ({ kind: "rect", role: "dots", hue, ...area }));
  if (hatch === undefined || dots.length > 0) return dots;
  return [{ kind: "rect", role: "hatch", hue: hatch, opacity: 0.55, ...area }];
}

/** The fill of an area that no mesh axis shards. */
function wholeMark(area: Rect, isPale: boolean): Mark {
  return { kind: "rect", role: "whole", ...area, ...(isPale ? { opacity: 0.5 } : {}) };
}

/** The look of an area's fill. */
export interface FillLook {
  readonly isPale: boolean;
  readonly isStrip?: true;
  /** The direction of lines in a narrow block; along its longer side by default. */
  readonly along?: "down" | "across";
}

/** The tint and the texture marks of a coordinate. */
export function fillMarks(
  area: Rect,
  coordinate: Coordinate,
  { isPale, isStrip, along = area.height > area.width ? "down" : "across" }: FillLook,
): readonly Mark[] {
  const { hue, digit, size } = coordinate;
  const pale = { ...(isPale && { opacity: 0.5 }), ...(isStrip && { isStrip }) };
  const tint: Mark = {
    kind: "rect",
    role: "tint",
    hue,
    tint: tintOf(coordinate),
    ...area,
    ...pale,
  };
  const step = textureStep(digit, size);
  if (Math.min(area.width, area.height) >= textureFrom) {
    return [tint, { kind: "rect", role: "texture", hue, step, ...area, ...pale }];
  }
  const { x, y, width, height } = area;
  const ends =
    along === "down"
      ? [
          { x: x + width / 2, y },
          { x: x + width / 2, y: y + height },
        ]
      : [
          { x, y: y + height / 2 },
          { x: x + width, y: y + height / 2 },
        ];
  const [from, to] = ends;
  if (from === undefined || to === undefined) return [tint];
  const line = fineLook(step, along === "down" ? width : height);
  return [tint, { kind: "line", role: "texture", hue, step, from, to, ...line, ...pale }];
}

/** Strips along the leading edges of one block; the outermost axis is nearest to the edge. */
function edgeMarks(area: Rect, strips: Shown["strips"], isPale: boolean): readonly Mark[] {
  return (["top", "left"] as const).flatMap((edge) => {
    const own = strips.filter((strip) => strip.edge === edge);
    const thick = stripThickness(edge === "top" ? area.height : area.width, own.length);
    if (thick === 0) return [];
    return own.flatMap(({ coordinate }, at) => {
      const strip =
        edge === "top"
          ? { ...area, y: area.y + at * thick, height: thick }
          : { ...area, x: area.x + at * thick, width: thick };
      const along = edge === "top" ? "across" : "down";
      return fillMarks(strip, coordinate, { isPale, isStrip: true, along });
    });
  });
}
