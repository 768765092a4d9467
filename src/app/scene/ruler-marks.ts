import { tintOf } from "./cell-marks.ts";
import type { DimSlots } from "./dim-slots.ts";
import type { Mark, Rect } from "./mark.ts";
import { rulerBar, rulerStep } from "./panels.ts";

/** Where rulers stand: along a side from `start` for `length`, their bars from `offset` inwards. */
export interface RulerPlace {
  readonly direction: "across" | "down";
  readonly start: number;
  readonly length: number;
  readonly offset: number;
}

const leastSegment = 3;
const inset = 0.375;

/** The rulers of a dim: one bar per axis, outer = major, cut into the runs of each coordinate. */
export function rulerMarks(slots: DimSlots, place: RulerPlace): readonly Mark[] {
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
  const most = Math.max(Math.floor(place.length / leastSegment), 1);
  const shown = Math.min(runs, most);
  return Array.from({ length: shown }, (_, at): Mark => {
    const run = shown === runs ? at : Math.round((at * (runs - 1)) / Math.max(shown - 1, 1));
    const [from, to] =
      shown === runs
        ? runEdges(slots, at * inner, inner, place.length)
        : [(at * place.length) / shown, ((at + 1) * place.length) / shown];
    const digit = run % size;
    const area = barArea(place, bar, from + inset, to - from - 2 * inset);
    return { kind: "rect", role: "ruler", hue, tint: tintOf({ digit, size }), ...area };
  });
}

/** Where a run of slots begins and ends, in pixels. */
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
