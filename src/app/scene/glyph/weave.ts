import type { Mark, Rect } from "../mark.ts";
import {
  type CellLook,
  type Coordinate,
  cellMarks,
  coordinatesIn,
  fillMarks,
  overMarks,
  type Shown,
  stripThickness,
} from "./cell-marks.ts";
import type { DimSlots, Slot } from "./dim-slots.ts";
import type { DrawnDims } from "./drawn-dims.ts";
import { type Panel, spanOf } from "./panels.ts";

/**
 * The side of a facet whose innermost mesh axis fills the blocks; `undefined` if both sides are
 * whole.
 */
function fillingSide({ rows, columns }: DrawnDims): "rows" | "columns" | undefined {
  const [down, across] = [huesOf(rows.slots), huesOf(columns.slots)];
  if (down === 0 && across === 0) return undefined;
  if (down === 0 || across === 0) return down === 0 ? "columns" : "rows";
  return rows.slots.slots.length > columns.slots.slots.length ? "rows" : "columns";
}

/** The fill and strips of a separate block, by its slots. */
export function shownOf(
  dims: DrawnDims,
  { outerRow, outerColumn }: Pick<Panel, "outerRow" | "outerColumn">,
  row: Slot,
  column: Slot,
): Shown {
  const filling = fillingSide(dims);
  const rows = coordinatesIn(dims.rows.slots, row);
  const columns = coordinatesIn(dims.columns.slots, column);
  if (filling !== undefined) {
    const [along, beside] = filling === "rows" ? [rows, columns] : [columns, rows];
    const [same, other] =
      filling === "rows" ? (["top", "left"] as const) : (["left", "top"] as const);
    return {
      fill: along.at(-1),
      strips: [
        ...along.slice(0, -1).map((coordinate) => ({ edge: same, coordinate })),
        ...beside.map((coordinate) => ({ edge: other, coordinate })),
      ],
    };
  }
  const down = coordinatesIn(dims.outerRows.slots, outerRow);
  const across = coordinatesIn(dims.outerColumns.slots, outerColumn);
  const all = [...down, ...across];
  const strips = all.slice(0, -1).map((coordinate, at) => {
    return { edge: at < down.length ? ("top" as const) : ("left" as const), coordinate };
  });
  return { fill: all.at(-1), strips };
}

/**
 * The marks inside a facet. One mesh axis fills the blocks: a stripe for each of its coordinates,
 * in its tint and texture. Every other axis draws a strip along the leading edge of its blocks, so
 * that no line inside a block looks like a cut.
 */
export function weaveMarks(dims: DrawnDims, panel: Panel, look: CellLook): readonly Mark[] {
  if (panel.outerRow.length === 0 || panel.outerColumn.length === 0) return [];
  const isPale = look.partialHues.length > 0;
  const spans = {
    rows: filledSpans(dims.rows.slots, panel.rect.height),
    columns: filledSpans(dims.columns.slots, panel.rect.width),
  };
  const areas = areasOf(panel.rect, spans);
  const filling = fillingSide(dims);
  if (filling === undefined) return aloneMarks(dims, panel, areas, look);
  const other = filling === "rows" ? "columns" : "rows";
  return [
    ...stripeMarks(dims, panel.rect, filling, isPale),
    ...stripMarks(dims, panel.rect, other, { isPale, skips: 0 }),
    ...stripMarks(dims, panel.rect, filling, { isPale, skips: 1 }),
    ...areas.flatMap((area) => overMarks(area, { ...look, hatch: undefined })),
  ];
}

/**
 * Orders marks in layers: block fills, their textures, strips, strip textures, then the rest. Marks
 * of one look can then be drawn together without covering others.
 */
export function layered(marks: readonly Mark[]): readonly Mark[] {
  const layerOf = ({ role, isStrip }: Mark) =>
    role === "tint" || role === "whole"
      ? isStrip
        ? 2
        : 0
      : role === "texture"
        ? isStrip
          ? 3
          : 1
        : 4;
  return [0, 1, 2, 3, 4].flatMap((layer) => marks.filter((mark) => layerOf(mark) === layer));
}

/** A facet whose own dims are whole: the mesh axes of the outer dims fill it. */
function aloneMarks(
  dims: DrawnDims,
  panel: Panel,
  areas: readonly Rect[],
  look: CellLook,
): readonly Mark[] {
  const outer = {
    ...{ outerRows: dims.outerRows, outerColumns: dims.outerColumns, hidden: [] },
    ...{ rows: dims.outerRows, columns: dims.outerColumns },
  };
  const shown = shownOf(outer, panel, panel.outerRow, panel.outerColumn);
  return areas.flatMap((area) => cellMarks(area, shown, look));
}

/** One stripe per block of the filling side, across all blocks of the other side. */
function stripeMarks(
  dims: DrawnDims,
  rect: Rect,
  filling: "rows" | "columns",
  isPale: boolean,
): readonly Mark[] {
  const { slots } = dims[filling];
  const other = filling === "rows" ? dims.columns.slots : dims.rows.slots;
  const spans = filledSpans(other, filling === "rows" ? rect.width : rect.height);
  return slots.slots.flatMap((slot) => {
    const coordinate = coordinatesIn(slots, slot).at(-1);
    if (coordinate === undefined || slot.length === 0) return [];
    const { start, filled } = spanOf(slots, slot, filling === "rows" ? rect.height : rect.width);
    const stripe = { start, length: filled };
    const along = filling === "rows" ? ("across" as const) : ("down" as const);
    return spans.flatMap((span) => {
      const [down, across] = filling === "rows" ? [stripe, span] : [span, stripe];
      return fillMarks(areaAt(rect, down, across), coordinate, { isPale, along });
    });
  });
}

interface StripLook {
  readonly isPale: boolean;
  /** Number of innermost parts without strips, since they fill the blocks. */
  readonly skips: number;
}

/** A strip along the leading edge of every run of blocks that share a coordinate. */
function stripMarks(
  dims: DrawnDims,
  rect: Rect,
  side: "rows" | "columns",
  { isPale, skips }: StripLook,
): readonly Mark[] {
  const { slots } = dims[side];
  const parts = slots.parts.flatMap(({ hue }, at) => (hue === undefined ? [] : [at]));
  const shown = parts.slice(0, parts.length - skips);
  const pixels = side === "rows" ? rect.height : rect.width;
  const least = Math.min(...slots.slots.map((slot) => spanOf(slots, slot, pixels).room));
  const thick = stripThickness(least, shown.length);
  if (thick === 0) return [];
  const other = side === "rows" ? dims.columns.slots : dims.rows.slots;
  const spans = filledSpans(other, side === "rows" ? rect.width : rect.height);
  const along = side === "rows" ? ("across" as const) : ("down" as const);
  return slots.slots.flatMap((slot, at) => {
    if (slot.length === 0) return [];
    const { start, filled } = spanOf(slots, slot, pixels);
    const begun = shown.filter((part) => beginsAt(slots, part, at));
    return begun.flatMap((part, place) => {
      const coordinate = coordinateAt(slots, slot, part);
      const length = Math.min(thick, filled - place * thick);
      if (coordinate === undefined || length <= 0) return [];
      const strip = { start: start + place * thick, length };
      return spans.flatMap((span) => {
        const [down, across] = side === "rows" ? [strip, span] : [span, strip];
        return fillMarks(areaAt(rect, down, across), coordinate, { isPale, isStrip: true, along });
      });
    });
  });
}

/** Whether a run of a part begins at a slot: its coordinate, or one of an outer part, changes. */
function beginsAt({ slots }: DimSlots, part: number, at: number): boolean {
  const [before, here] = [slots[at - 1], slots[at]];
  if (before === undefined || here === undefined) return true;
  return here.digits.slice(0, part + 1).some((digit, index) => digit !== before.digits[index]);
}

function coordinateAt({ parts }: DimSlots, slot: Slot, at: number): Coordinate | undefined {
  const part = parts[at];
  if (part?.hue === undefined) return undefined;
  return { hue: part.hue, digit: slot.digits[at] ?? 0, size: part.size };
}

interface Span {
  readonly start: number;
  readonly length: number;
}

/** The intervals of a side of a facet that are not padding; adjacent blocks are merged. */
function filledSpans(slots: DimSlots, pixels: number): readonly Span[] {
  const spans: Span[] = [];
  for (const slot of slots.slots) {
    if (slot.length === 0) continue;
    const { start, filled } = spanOf(slots, slot, pixels);
    const last = spans.at(-1);
    if (last !== undefined && start - last.start - last.length < 0.01) {
      spans[spans.length - 1] = { start: last.start, length: start + filled - last.start };
    } else spans.push({ start, length: filled });
  }
  return spans;
}

function areasOf(
  rect: Rect,
  { rows, columns }: { readonly rows: readonly Span[]; readonly columns: readonly Span[] },
): readonly Rect[] {
  return rows.flatMap((down) => columns.map((across) => areaAt(rect, down, across)));
}

function areaAt(rect: Rect, down: Span, across: Span): Rect {
  return {
    x: rect.x + across.start,
    y: rect.y + down.start,
    width: across.length,
    height: down.length,
  };
}

function huesOf({ parts }: DimSlots): number {
  return parts.filter(({ hue }) => hue !== undefined).length;
}
