import { type Box, lengthOf, type Range } from "#core/indexspace";
import type { Rect, Size } from "../mark.ts";
import type { SpaceDim } from "./projection-space.ts";

/** One dim drawn as a bar beside the plane; all indices have equal length. */
export interface SpaceStrip {
  readonly dim: number;
  readonly rect: Rect;
}

/**
 * Layout of the dims of an index space or a tensor: the last two as a plane, rows down and columns
 * across, and each leading dim as a strip. A box is the product of its ranges, so it is drawn in
 * the plane and once in each strip.
 */
export interface SpaceDrawing {
  readonly dims: readonly SpaceDim[];
  readonly plane: Rect;
  /** The dims of the plane; `row` is absent at rank 1, both at rank 0. */
  readonly row?: number;
  readonly column?: number;
  readonly strips: readonly SpaceStrip[];
  readonly size: Size;
}

const stripHeight = 16;
const stripGap = 8;
/** Largest side ratio of a plane, however long a dim is. */
const mostRatio = 2.5;
const flatHeight = 28;

/** Lays out dims inside `size`; the drawing takes less if its proportions require less. */
export function drawingOf(dims: readonly SpaceDim[], size: Size): SpaceDrawing {
  const column = dims.length > 0 ? dims.length - 1 : undefined;
  const row = dims.length > 1 ? dims.length - 2 : undefined;
  const others = dims.slice(0, -2).map((_, dim) => dim);
  const stripsHeight = others.length * (stripHeight + stripGap);
  const room = { width: size.width, height: Math.max(flatHeight, size.height - stripsHeight) };
  const plane = { x: 0, y: stripsHeight, ...planeSize(dims, row, column, room) };
  const strips = others.map((dim, at) => {
    const rect = {
      x: 0,
      y: at * (stripHeight + stripGap),
      width: plane.width,
      height: stripHeight,
    };
    return { dim, rect };
  });
  return {
    dims,
    plane,
    ...(row !== undefined && { row }),
    ...(column !== undefined && { column }),
    strips,
    size: { width: plane.width, height: plane.y + plane.height },
  };
}

function planeSize(
  dims: readonly SpaceDim[],
  row: number | undefined,
  column: number | undefined,
  room: Size,
): Size {
  if (column === undefined) return { width: flatHeight, height: flatHeight };
  if (row === undefined) return { width: room.width, height: flatHeight };
  const lengths = [row, column].map((dim) => Math.max(1, lengthOf(dims[dim]?.range ?? unit)));
  const wanted = (lengths[1] ?? 1) / (lengths[0] ?? 1);
  const ratio = Math.max(1 / mostRatio, Math.min(wanted, mostRatio));
  const width = Math.min(room.width, room.height * ratio);
  return { width, height: width / ratio };
}

/**
 * The ranges of each dim as rectangles: every combination of them in the plane, and each in its
 * strip.
 */
export function rectsOf(
  drawing: SpaceDrawing,
  runs: readonly (readonly Range[])[],
): readonly Rect[] {
  const { dims, plane, row, column, strips } = drawing;
  const along = (dim: number | undefined, start: number, length: number) =>
    dim === undefined
      ? [{ start, length }]
      : (runs[dim] ?? []).flatMap((run) => placed(dims[dim]?.range ?? unit, run, start, length));
  if (runs.some((each) => each.length === 0)) return [];
  const rows = along(row, plane.y, plane.height);
  const columns = along(column, plane.x, plane.width);
  const inPlane = rows.flatMap((down) =>
    columns.map((across) => ({
      x: across.start,
      y: down.start,
      width: across.length,
      height: down.length,
    })),
  );
  const inStrips = strips.flatMap(({ dim, rect }) =>
    along(dim, rect.x, rect.width).map(({ start, length }) => ({
      ...rect,
      x: start,
      width: length,
    })),
  );
  return [...inPlane, ...inStrips];
}

/** A box as rectangles: one in the plane, one in each strip. */
export function boxRects(drawing: SpaceDrawing, box: Box): readonly Rect[] {
  return rectsOf(
    drawing,
    box.map((range) => [range]),
  );
}

/**
 * The index under a point, by dim: for both dims of the plane, or for the dim of a strip; clamped
 * to the dim.
 */
export function indicesAt(
  drawing: SpaceDrawing,
  x: number,
  y: number,
): ReadonlyMap<number, number> {
  const { dims, plane, row, column } = drawing;
  const strip = stripAt(drawing, y);
  const found = new Map<number, number>();
  const set = (dim: number | undefined, share: number) => {
    const range = dim === undefined ? undefined : dims[dim]?.range;
    if (dim === undefined || range === undefined || lengthOf(range) <= 0) return;
    const index = range.start + Math.floor(share * lengthOf(range));
    found.set(dim, Math.max(range.start, Math.min(index, range.stop - 1)));
  };
  if (strip !== undefined) set(strip.dim, (x - strip.rect.x) / strip.rect.width);
  else {
    set(row, (y - plane.y) / plane.height);
    set(column, (x - plane.x) / plane.width);
  }
  return found;
}

/** The strip at a height; `undefined` if there is none. */
function stripAt({ strips }: SpaceDrawing, y: number): SpaceStrip | undefined {
  return strips.find(({ rect }) => y < rect.y + rect.height + stripGap / 2);
}

/**
 * The lines between cells as rectangles without thickness; none for a dim whose cells are below 5
 * px.
 */
export function gridLines(drawing: SpaceDrawing): readonly Rect[] {
  const { dims, plane, row, column, strips } = drawing;
  const marks = (dim: number | undefined, rect: Rect, isDown: boolean) => {
    const count = dim === undefined ? 0 : lengthOf(dims[dim]?.range ?? unit);
    const length = isDown ? rect.height : rect.width;
    if (count < 2 || length / count < leastCell) return [];
    return Array.from({ length: count - 1 }, (_, at): Rect => {
      const place = ((at + 1) * length) / count;
      return isDown
        ? { x: rect.x, y: rect.y + place, width: rect.width, height: 0 }
        : { x: rect.x + place, y: rect.y, width: 0, height: rect.height };
    });
  };
  return [
    ...marks(row, plane, true),
    ...marks(column, plane, false),
    ...strips.flatMap(({ dim, rect }) => marks(dim, rect, false)),
  ];
}

/**
 * The line before index `at` of a dim, as a rectangle without thickness; `undefined` for an empty
 * dim.
 */
export function cutLine(drawing: SpaceDrawing, dim: number, at: number): Rect | undefined {
  const range = drawing.dims[dim]?.range;
  if (range === undefined || lengthOf(range) <= 0) return undefined;
  const share = (at - range.start) / lengthOf(range);
  const { plane } = drawing;
  if (dim === drawing.row) {
    return { x: plane.x, y: plane.y + share * plane.height, width: plane.width, height: 0 };
  }
  const rect =
    dim === drawing.column ? plane : drawing.strips.find((each) => each.dim === dim)?.rect;
  return rect && { x: rect.x + share * rect.width, y: rect.y, width: 0, height: rect.height };
}

const unit: Range = { start: 0, stop: 1 };
const leastCell = 5;

/** The part of a run inside a range, in drawing units; at least 1.5 long, to be visible. */
function placed(
  range: Range,
  run: Range,
  start: number,
  length: number,
): readonly { readonly start: number; readonly length: number }[] {
  const from = Math.max(range.start, run.start);
  const to = Math.min(range.stop, run.stop);
  if (to <= from) return [];
  const each = length / Math.max(1, lengthOf(range));
  return [
    { start: start + (from - range.start) * each, length: Math.max(1.5, (to - from) * each) },
  ];
}
