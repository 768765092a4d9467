import type { DimSlots, Slot } from "./dim-slots.ts";
import type { Hue } from "./hue.ts";
import type { Mark, Point, Rect } from "./mark.ts";

/** A coordinate on a mesh axis: what a band of a cell shows. */
export interface Coordinate {
  readonly hue: Hue;
  readonly digit: number;
  readonly size: number;
}

/** How the cells of one drawing look. */
export interface CellLook {
  readonly hasTexture: boolean;
  /** Partial: tints step back and dots of these hues lie over them. */
  readonly partialHues: readonly Hue[];
  /** Copies of an uncut tensor are hatched in this hue. */
  readonly hatch: Hue | undefined;
}

const bandHeight = 8;
const bandWidth = 9;
/** Share of a cell's width by which a band's edge leans to either side. */
const lean = 0.11;

/** The coordinates that a slot has along the axes of its dim, major first. */
export function coordinatesIn(slots: DimSlots, slot: Slot): readonly Coordinate[] {
  return slots.parts.flatMap((part, at) =>
    part.hue === undefined ? [] : [{ hue: part.hue, digit: slot.digits[at] ?? 0, size: part.size }],
  );
}

/** Percent of the axis' colour: 16 at the first coordinate, 50 at the last. */
export function tintOf({ digit, size }: Pick<Coordinate, "digit" | "size">): number {
  return Math.round(16 + (34 * digit) / Math.max(size - 1, 1));
}

/** A texture is paler at even coordinates, so neighbours differ without colour. */
function textureOpacity(digit: number): number {
  return digit % 2 === 0 ? 0.4 : 0.85;
}

/**
 * Fills a cell: one slanted band per axis that cuts it, in dim order; where there is no room for
 * bands, the last axis alone, for the rulers tell the rest.
 */
export function cellMarks(
  area: Rect,
  coordinates: readonly Coordinate[],
  look: CellLook,
): readonly Mark[] {
  const isPale = look.partialHues.length > 0;
  const fill = coordinates.length === 0 ? wholeMarks(area, isPale) : [];
  const dots = look.partialHues.map((hue): Mark => ({ kind: "rect", role: "dots", hue, ...area }));
  const hatch: readonly Mark[] =
    look.hatch === undefined || coordinates.length > 0 || isPale
      ? []
      : [{ kind: "rect", role: "hatch", hue: look.hatch, opacity: 0.55, ...area }];
  const bands = bandsOf(area, coordinates).flatMap(({ points, coordinate }) =>
    bandMarks(points, coordinate, look.hasTexture, isPale),
  );
  return [...fill, ...bands, ...hatch, ...dots];
}

function wholeMarks(area: Rect, isPale: boolean): readonly Mark[] {
  return [{ kind: "rect", role: "whole", ...area, ...(isPale ? { opacity: 0.5 } : {}) }];
}

function bandMarks(
  points: readonly Point[],
  coordinate: Coordinate,
  hasTexture: boolean,
  isPale: boolean,
): readonly Mark[] {
  const { hue, digit } = coordinate;
  const pale = isPale ? 0.5 : 1;
  const tint: Mark = {
    kind: "path",
    role: "tint",
    points,
    hue,
    tint: tintOf(coordinate),
    ...(isPale ? { opacity: pale } : {}),
  };
  if (!hasTexture) return [tint];
  const opacity = textureOpacity(digit) * pale;
  return [tint, { kind: "path", role: "texture", points, hue, opacity }];
}

function bandsOf(
  area: Rect,
  coordinates: readonly Coordinate[],
): readonly { readonly points: readonly Point[]; readonly coordinate: Coordinate }[] {
  const fits = area.height >= bandHeight && area.width >= bandWidth * coordinates.length;
  const shown = fits ? coordinates : coordinates.slice(-1);
  const { x, y, width, height } = area;
  const edge = (at: number, towards: 1 | -1) => {
    if (at === 0) return x;
    if (at === shown.length) return x + width;
    return x + width * (at / shown.length + lean * towards);
  };
  return shown.map((coordinate, at) => ({
    coordinate,
    points: [
      { x: edge(at, 1), y },
      { x: edge(at + 1, 1), y },
      { x: edge(at + 1, -1), y: y + height },
      { x: edge(at, -1), y: y + height },
    ],
  }));
}
