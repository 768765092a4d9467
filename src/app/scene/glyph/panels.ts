import { replicationOf } from "#core/mesh";
import type { Rect, Size } from "../mark.ts";
import type { DimSlots, Slot } from "./dim-slots.ts";
import type { DrawnDims, DrawnTensor, Side } from "./drawn-dims.ts";

/** One facet: where it lies and which blocks of the outer dims it shows. */
export interface Panel {
  readonly rect: Rect;
  readonly outerRow: Slot;
  readonly outerColumn: Slot;
  /** Whether it is the first of its row or column of facets, which carry the inner rulers. */
  readonly isFirstColumn: boolean;
  readonly isFirstRow: boolean;
}

/** Facets in place, and the room around them. */
export interface Panels {
  readonly panels: readonly Panel[];
  /** Steps by which second layers stand out, and how many there are. */
  readonly layerStep: number;
  readonly layerCount: number;
  /** Everything used, rulers and layers included. */
  readonly used: Size;
}

/** Room for the rulers and texts left of and above the facets. */
export interface Margins {
  readonly left: number;
  readonly top: number;
}

/** Thickness of a ruler bar, and the distance from one to the next. */
export const rulerBar = 4;
export const rulerStep = 5;

const facetGap = 5;
const mostLayers = 3;
const vectorHeight = 24;
const mostRatio = 3;
const leastFacet = 4;

/** Room that the rulers of a side take: 4 px a bar, 1 px between, 2 px to the drawing. */
export function rulerRoom(side: Side): number {
  const bars = barsOf(side.slots);
  return bars === 0 ? 0 : bars * rulerStep + 1;
}

/**
 * How many layers stand behind the front one: one per partial part and per axis of copies, as far
 * as the number of facets leaves room for them.
 */
export function layersOf({ layout }: DrawnTensor, dims: DrawnDims): number {
  const facets = dims.outerRows.slots.slots.length * dims.outerColumns.slots.slots.length;
  const most = facets > 3 ? 1 : facets > 1 ? 2 : mostLayers;
  return Math.min(layout.partials.length + replicationOf(layout).length, most);
}

/** A tensor's glyph to be placed, and the room for it. */
export interface Placing {
  readonly tensor: DrawnTensor;
  readonly dims: DrawnDims;
  readonly size: Size;
  readonly margins: Margins;
  readonly layerCount: number;
  /** Whether a lone drawing takes all its room, whatever the ratio of its sides. */
  readonly fills: boolean;
}

/** Places the facets of a tensor inside a size. */
export function panelsOf(placing: Placing): Panels {
  const { dims, size, margins, layerCount } = placing;
  const [across, down] = [dims.outerColumns.slots.slots, dims.outerRows.slots.slots];
  const layerStep = Math.min(size.width, size.height) < 64 ? 3 : 4;
  const layers = layerCount * layerStep;
  const room = {
    width: (size.width - margins.left - (across.length - 1) * facetGap) / across.length - layers,
    height: (size.height - margins.top - (down.length - 1) * facetGap) / down.length - layers,
  };
  const facet = facetSize(placing, room);
  const stepX = facet.width + layers + facetGap;
  const stepY = facet.height + layers + facetGap;
  const panels = down.flatMap((outerRow, row) =>
    across.map((outerColumn, column) => ({
      rect: { x: margins.left + column * stepX, y: margins.top + row * stepY, ...facet },
      outerRow,
      outerColumn,
      isFirstColumn: column === 0,
      isFirstRow: row === 0,
    })),
  );
  const used = {
    width: margins.left + across.length * stepX - facetGap,
    height: margins.top + down.length * stepY - facetGap,
  };
  return { panels, layerStep, layerCount, used };
}

/** Where a slot lies on a side of `length` pixels; `filled` leaves its padding out. */
export function spanOf(
  slots: DimSlots,
  slot: Slot,
  length: number,
): { readonly start: number; readonly filled: number; readonly room: number } {
  const scale = length / slots.extent;
  return { start: slot.start * scale, filled: slot.length * scale, room: slot.room * scale };
}

/**
 * The size of one facet. Facets fill their room; a lone drawing leans to the true ratio of its
 * sides: halfway, on a logarithmic scale, between that ratio kept within 1:3 and its room's.
 */
function facetSize({ tensor: { shape }, dims, fills }: Placing, room: Size): Size {
  const width = Math.max(room.width, leastFacet);
  const height = Math.max(room.height, leastFacet);
  const [rows, columns] = [dims.rows.dim, dims.columns.dim];
  if (columns === undefined) return { width, height };
  if (rows === undefined) {
    return { width, height: Math.min(height, Math.max(width * 0.3, 12), vectorHeight) };
  }
  if (fills) return { width, height };
  const isFaceted = dims.outerColumns.dim !== undefined;
  const ratio = (shape[columns] ?? 1) / Math.max(shape[rows] ?? 1, 1);
  const own = Math.sqrt((clamp(ratio) * width) / height);
  const drawn = clamp(isFaceted ? width / height : own);
  return width / height > drawn
    ? { width: height * drawn, height }
    : { width, height: width / drawn };
}

function barsOf(slots: DimSlots): number {
  return slots.parts.filter((part) => part.hue !== undefined).length;
}

function clamp(ratio: number): number {
  return Math.min(Math.max(ratio, 1 / mostRatio), mostRatio);
}
