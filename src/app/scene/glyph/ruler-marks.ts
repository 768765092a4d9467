import type { Mark, Rect } from "../mark.ts";
import { tintOf } from "./cell-marks.ts";
import { coarseSlots } from "./coarse-slots.ts";
import type { DimSlots } from "./dim-slots.ts";
import { rulerBar, rulerStep } from "./panels.ts";

/** Position of rulers: along a side from `start` for `length`, their bars from `offset` inwards. */
export interface RulerPlace {
  readonly direction: "across" | "down";
  readonly start: number;
  readonly length: number;
  readonly offset: number;
}

/** Number of marks above which a ruler has high and low marks. */
const manyMarks = 8;
const inset = 0.375;

/**
 * The rulers of a dim: one bar per mesh axis, the outermost is the major one, divided into the runs
 * of each coordinate.
 */
export function rulerMarks(all: DimSlots, place: RulerPlace): readonly Mark[] {
  const slots = coarseSlots(all, place.length);
  const drawn = slots.parts.flatMap((part, at) => (part.hue === undefined ? [] : [at]));
  return drawn.flatMap((part, bar) => barMarks(slots, part, bar, place));
}

/** Rulers of facets: one segment per facet and axis, exactly as long as the facet. */
export function facetRulerMarks(
  slots: DimSlots,
  facets: readonly Pick<RulerPlace, "start" | "length">[],
  place: Pick<RulerPlace, "direction" | "offset">,
): readonly Mark[] {
  const drawn = slots.parts.flatMap(({ hue, size }, at) =>
    hue === undefined ? [] : [{ hue, size, at }],
  );
  return drawn.flatMap(({ hue, size, at }, bar) =>
    facets.map((facet, slot): Mark => {
      const digit = slots.slots[slot]?.digits[at] ?? 0;
      const area = barArea({ ...place, ...facet }, bar, 0, facet.length);
      return { kind: "rect", role: "ruler", hue, tint: tintOf({ digit, size }), ...area };
    }),
  );
}

function barMarks(slots: DimSlots, part: number, bar: number, place: RulerPlace): readonly Mark[] {
  const { hue, size } = slots.parts[part] ?? { hue: undefined, size: 1 };
  if (hue === undefined) return [];
  const inner = slots.parts.slice(part + 1).reduce((product, next) => product * next.size, 1);
  const runs = slots.slots.length / inner;
  return Array.from({ length: runs }, (_, at): Mark => {
    const [from, to] = runEdges(slots, at * inner, inner, place.length);
    const digit = at % size;
    const area = barArea(place, bar, from + inset, to - from - 2 * inset);
    const look = { kind: "rect", role: "ruler", hue, tint: tintOf({ digit, size }) } as const;
    return { ...look, ...(size > manyMarks ? lowered(area, place, digit) : area) };
  });
}

/** With many marks, every fourth has the bar's full height and the others half of it. */
function lowered(area: Rect, { direction }: RulerPlace, digit: number): Rect {
  if (digit % 4 === 0) return area;
  const low = rulerBar / 2;
  return direction === "across"
    ? { ...area, y: area.y + rulerBar - low, height: low }
    : { ...area, x: area.x + rulerBar - low, width: low };
}

/** Start and end of a run of slots, in pixels. */
function runEdges(slots: DimSlots, first: number, count: number, length: number): [number, number] {
  const scale = length / slots.extent;
  const [start, last] = [slots.slots[first], slots.slots[first + count - 1]];
  return [(start?.start ?? 0) * scale, ((last?.start ?? 0) + (last?.room ?? 0)) * scale];
}

function barArea(place: RulerPlace, bar: number, from: number, length: number): Rect {
  const across = { offset: place.offset + bar * rulerStep, start: place.start + from };
  const long = Math.max(length, 0.5);
  return place.direction === "across"
    ? { x: across.start, y: across.offset, width: long, height: rulerBar }
    : { x: across.offset, y: across.start, width: rulerBar, height: long };
}
