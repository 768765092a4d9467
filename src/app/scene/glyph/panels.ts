import { replicationOf } from "#core/mesh";
import type { Rect, Size } from "../mark.ts";
import type { DimSlots, Slot } from "./dim-slots.ts";
import type { DrawnDims, DrawnTensor, Side } from "./drawn-dims.ts";

/** One facet: its area, and the slots of the outer dims that it shows. */
export interface Panel {
  readonly rect: Rect;
  readonly outerRow: Slot;
  readonly outerColumn: Slot;
  /** Whether the facet is in the first column or row of facets, which carry the inner rulers. */
  readonly isFirstColumn: boolean;
  readonly isFirstRow: boolean;
}

/** Placed facets, and the used size. */
export interface Panels {
  readonly panels: readonly Panel[];
  /** Offset (px) between second layers, and their number. */
  readonly layerStep: number;
  readonly layerCount: number;
  /** The used size, including rulers and layers. */
  readonly used: Size;
}

/** Room for the rulers and texts left of and above the facets. */
export interface Margins {
  readonly left: number;
  readonly top: number;
}

/** Thickness (px) of a ruler bar, and the distance from one bar to the next. */
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
 * Number of layers behind the front one: one per partial part and per mesh axis of copies, limited
 * by the number of facets.
 */
export function layersOf({ layout }: DrawnTensor, dims: DrawnDims): number {
  const facets = dims.outerRows.slots.slots.length * dims.outerColumns.slots.slots.length;
  const most = facets > 3 ? 1 : facets > 1 ? 2 : mostLayers;
  return Math.min(layout.partials.length + replicationOf(layout).length, most);
}

/** A tensor's glyph to be placed, and the available size. */
export interface Placing {
  readonly tensor: DrawnTensor;
  readonly dims: DrawnDims;
  readonly size: Size;
  readonly margins: Margins;
  readonly layerCount: number;
  /** Whether a drawing without facets fills its room, whatever the tensor's side ratio. */
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

/** The interval of a slot on a side of `length` pixels; `filled` excludes its padding. */
export function spanOf(
  slots: DimSlots,
  slot: Slot,
  length: number,
): { readonly start: number; readonly filled: number; readonly room: number } {
  const scale = length / slots.extent;
  return { start: slot.start * scale, filled: slot.length * scale, room: slot.room * scale };
}

/**
 * The size of one facet. Facets fill their room; a single drawing approaches the tensor's side
 * ratio: halfway, on a logarithmic scale, between that ratio clamped to 1:3 and the room's ratio.
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
