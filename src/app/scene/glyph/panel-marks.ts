import type { Mark, Rect } from "../mark.ts";
import type { DimSlots, Slot } from "./dim-slots.ts";
import type { DrawnTensor } from "./drawn-dims.ts";
import { spanOf } from "./panels.ts";

const majorCut = 2;
const minorCut = 1.25;
const leastCut = 0.6;
const mostGap = 2;
/** Width (px) below which neighbouring stripes have no line between them. */
const narrowStripe = 5;

/**
 * The cut lines of one facet, vertical for columns and horizontal for rows, in the hue of the
 * sharding mesh axis. There are none before blocks of padding only.
 */
export function cutMarks(rect: Rect, rows: DimSlots, columns: DimSlots): readonly Mark[] {
  const down = cutSlots(rows, rect.height).map((at): Mark => {
    const y = rect.y + startOf(rows, at, rect.height);
    return {
      ...cutLook(rows, at, rect.height),
      from: { x: rect.x, y },
      to: { x: rect.x + rect.width, y },
    };
  });
  const across = cutSlots(columns, rect.width).map((at): Mark => {
    const x = rect.x + startOf(columns, at, rect.width);
    return {
      ...cutLook(columns, at, rect.width),
      from: { x, y: rect.y },
      to: { x, y: rect.y + rect.height },
    };
  });
  return [
    ...gapMarks(down, leastRoom(rows, rect.height)),
    ...gapMarks(across, leastRoom(columns, rect.width)),
    ...down,
    ...across,
  ];
}

/** Cuts lie in gaps of background colour, so that a texture line is never mistaken for a cut. */
function gapMarks(cuts: readonly Mark[], room: number): readonly Mark[] {
  return cuts.flatMap((cut): readonly Mark[] => {
    if (cut.kind !== "line") return [];
    const { hue: _, ...line } = cut;
    const thickness = cut.thickness + Math.min(mostGap, room / 10);
    return [{ ...line, role: "back", thickness }];
  });
}

/** Padding of uneven blocks: the unused room, as a dotted ghost. */
export function ghostMarks(rect: Rect, rows: DimSlots, columns: DimSlots): readonly Mark[] {
  const across = columns.slots.filter(isShort).map((slot): Mark => {
    const { start, filled, room } = spanOf(columns, slot, rect.width);
    return ghost({ ...rect, x: rect.x + start + filled, width: room - filled });
  });
  const down = rows.slots.filter(isShort).map((slot): Mark => {
    const { start, filled, room } = spanOf(rows, slot, rect.height);
    return ghost({ ...rect, y: rect.y + start + filled, height: room - filled });
  });
  return [...across, ...down];
}

/** The area of the block where a row and a column of slots meet, padding left out. */
export function cellArea(
  rect: Rect,
  rows: DimSlots,
  columns: DimSlots,
  row: Slot,
  column: Slot,
): Rect {
  const [down, across] = [spanOf(rows, row, rect.height), spanOf(columns, column, rect.width)];
  return {
    x: rect.x + across.start,
    y: rect.y + down.start,
    width: across.filled,
    height: down.filled,
  };
}

/**
 * Indices of the slots that begin with a cut line. Narrow stripes of one axis have none: lines
 * would hide them, and neighbours differ in texture.
 */
function cutSlots(slots: DimSlots, pixels: number): readonly number[] {
  const isNarrow = leastRoom(slots, pixels) < narrowStripe;
  const last = slots.parts.length - 1;
  return slots.slots.flatMap((slot, at) =>
    at > 0 && slot.length > 0 && !(isNarrow && levelAt(slots, at) === last) ? [at] : [],
  );
}

/** Index of the outermost part whose coordinate changes at a slot. */
function levelAt(slots: DimSlots, at: number): number {
  const [left, right] = [slots.slots[at - 1], slots.slots[at]];
  return slots.parts.findIndex((_, part) => left?.digits[part] !== right?.digits[part]);
}

function leastRoom(slots: DimSlots, pixels: number): number {
  return Math.min(...slots.slots.map((slot) => spanOf(slots, slot, pixels).room));
}

function startOf(slots: DimSlots, at: number, length: number): number {
  const slot = slots.slots[at];
  return slot === undefined ? 0 : spanOf(slots, slot, length).start;
}

/** Look of a cut: thick if the coordinate of the outermost of several parts changes there. */
function cutLook(slots: DimSlots, at: number, pixels: number) {
  const level = levelAt(slots, at);
  const hue = slots.parts[level]?.hue;
  const nominal = level === 0 && slots.parts.length > 1 ? majorCut : minorCut;
  const thickness = Math.min(nominal, Math.max(leastCut, leastRoom(slots, pixels) / 6));
  return { kind: "line", role: "cut", thickness, ...(hue === undefined ? {} : { hue }) } as const;
}

function ghost(area: Rect): Mark {
  return { kind: "rect", role: "ghost", ...area };
}

function isShort(slot: Slot): boolean {
  return slot.length < slot.room;
}

/** `≠` in the corner of an unverified tensor: its blocks may differ from the true values. */
export function unverifiedMarks(
  { unverified }: Pick<DrawnTensor, "unverified">,
  { x, y, width, height }: Rect,
): readonly Mark[] {
  if (unverified === undefined || width < 14 || height < 14) return [];
  const at = { x: x + width - 3, y: y + 11 };
  return [{ kind: "text", role: "text", at, text: "≠", anchor: "end", style: "id" }];
}
