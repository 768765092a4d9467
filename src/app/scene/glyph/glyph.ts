import type { Box } from "#core/indexspace";
import { boxesByIndex, type DeviceId, replicationOf } from "#core/mesh";
import { type Hue, tagsOf } from "../hue.ts";
import type { Cell, Glyph, Mark, Rect, Size } from "../mark.ts";
import { badgesOf } from "./badges.ts";
import { barsGlyph } from "./bars-glyph.ts";
import type { CellLook } from "./cell-marks.ts";
import { coarseSlots, leastStripe } from "./coarse-slots.ts";
import { countMarks } from "./count-marks.ts";
import type { DimSlots, Slot } from "./dim-slots.ts";
import { type DrawnDims, type DrawnTensor, drawnDimsOf } from "./drawn-dims.ts";
import { frameMarks, nameMarks, nameRoom } from "./glyph-frame.ts";
import { haloMarks } from "./halo-marks.ts";
import { cellArea, cutMarks, ghostMarks, unverifiedMarks } from "./panel-marks.ts";
import { layersOf, type Panel, panelsOf, rulerRoom } from "./panels.ts";
import { scalarGlyph } from "./scalar-glyph.ts";
import { layered, weaveMarks } from "./weave.ts";

/** Options of a drawing beside its marks. */
export interface GlyphOptions {
  /** Shows device ids inside cells that are large enough. */
  readonly showIds?: boolean;
  /** Shows names and sizes of the drawn dims on the edges, from a size of 90 px. */
  readonly showNames?: boolean;
}

/** A cell with its fill, before its devices are known. */
interface PlacedCell {
  readonly area: Rect;
  readonly box: Box;
}

const mostCells = 512;
/** Size (px) below which blocks, if smaller in both directions, would merge into a grey box. */
const crowdedCell = 4;
/** Width (px) below which blocks leave no room for halos between them. */
const haloCell = 5;
const leastGroups = 8;
const idCell = 26;
const mostIds = 16;

/**
 * The whole view of a tensor inside a size (interface.md §5.3 to §5.5): rows down, columns across,
 * leading split dims as facets, whole dims undivided. Blocks narrower than 2 px are merged, and a
 * number gives their count. If even that would be a grey box, or beyond 512 cells, axis bars and
 * one representative part are drawn instead. Rank 0 is a dot.
 */
export function glyphOf(tensor: DrawnTensor, size: Size, options: GlyphOptions = {}): Glyph {
  const badges = badgesOf(tensor.layout);
  if (tensor.shape.length === 0) return scalarGlyph(tensor, badges);
  const dims = drawnDimsOf(tensor);
  const names = nameRoom(tensor, dims, size, options.showNames === true);
  const margins = {
    left: names.left + rulerRoom(dims.outerRows) + rulerRoom(dims.rows),
    top: names.top + rulerRoom(dims.outerColumns) + rulerRoom(dims.columns),
  };
  const place = (fills: boolean) =>
    panelsOf({ tensor, dims, size, margins, layerCount: layersOf(tensor, dims), fills });
  const leaning = place(false);
  // Parts too fine at the tensor's side ratio may fit if the drawing fills its room.
  const first = detailOf(tensor, dims, leaning.panels);
  const placed = first.isTooFine || first.isCoarse ? place(true) : leaning;
  const detail = detailOf(tensor, dims, placed.panels);
  if (detail.isTooFine) return barsGlyph(tensor, dims, size, badges);
  const cells = cellsOf(
    tensor,
    placed.panels.flatMap((panel) => panelCells(tensor, dims, panel)),
  );
  const look = lookOf(tensor);
  const drawn = coarseDims(dims, placed.panels);
  const showIds = options.showIds === true && detail.hasIds;
  return {
    detail: "cells",
    ...placed.used,
    marks: [
      ...frameMarks(tensor, drawn, placed, names),
      ...layered(placed.panels.flatMap((panel) => weaveMarks(drawn, panel, look))),
      ...placed.panels.flatMap((panel) => boundMarks(tensor, drawn, panel)),
      ...haloMarks(tensor, dims, placed.panels),
      ...countMarks(dims, placed.panels),
      ...(showIds ? cells.flatMap((cell) => idMarks(cell, tensor.layout.partials.length > 0)) : []),
      ...nameMarks(tensor, dims, placed, names),
    ],
    cells,
    badges,
  };
}

/** The level of detail that fits a size (interface.md §5.5). */
function detailOf({ halos }: DrawnTensor, dims: DrawnDims, panels: readonly Panel[]) {
  const rect = panels[0]?.rect ?? { width: 0, height: 0 };
  const coarse = coarseDims(dims, panels);
  const [across, down] = [
    least(coarse.columns.slots, rect.width),
    least(coarse.rows.slots, rect.height),
  ];
  const inPanel = dims.rows.slots.slots.length * dims.columns.slots.slots.length;
  const count = inPanel * panels.length;
  const isCoarse = coarse.rows !== dims.rows || coarse.columns !== dims.columns;
  const isCrowded = across < crowdedCell && down < crowdedCell;
  return {
    isCoarse,
    isTooFine:
      Math.min(across, down) < (halos === undefined ? leastStripe : haloCell) ||
      isCrowded ||
      count > mostCells ||
      isTooCoarse(coarse.rows.slots, dims.rows.slots) ||
      isTooCoarse(coarse.columns.slots, dims.columns.slots) ||
      dims.hidden.length > 0,
    hasIds: Math.min(across, down) >= idCell && count <= mostIds,
  };
}

/** Whether the merged slots are so few that axis bars say more. */
function isTooCoarse(drawn: DimSlots, all: DimSlots): boolean {
  return drawn !== all && drawn.slots.length < leastGroups;
}

/** The dims with blocks too fine to be seen merged into groups. */
function coarseDims(dims: DrawnDims, panels: readonly Panel[]): DrawnDims {
  const rect = panels[0]?.rect ?? { width: 0, height: 0 };
  const [rows, columns] = [
    coarseSlots(dims.rows.slots, rect.height),
    coarseSlots(dims.columns.slots, rect.width),
  ];
  return {
    ...dims,
    rows: rows === dims.rows.slots ? dims.rows : { ...dims.rows, slots: rows },
    columns: columns === dims.columns.slots ? dims.columns : { ...dims.columns, slots: columns },
  };
}

function least({ slots, extent }: DimSlots, pixels: number): number {
  return (Math.min(...slots.map(({ room }) => room)) * pixels) / extent;
}

function lookOf({ layout, unverified }: DrawnTensor): CellLook {
  const partialHues = hues(
    layout,
    layout.partials.map((partial) => partial.part),
  );
  const copies = unverified === undefined ? hues(layout, replicationOf(layout)) : [];
  return { partialHues: partialHues.slice(0, 1), hatch: copies[0] };
}

function hues(layout: DrawnTensor["layout"], parts: Parameters<typeof tagsOf>[1]): readonly Hue[] {
  return tagsOf(layout.mesh, parts).map((tag) => tag.hue);
}

function panelCells(tensor: DrawnTensor, dims: DrawnDims, panel: Panel): readonly PlacedCell[] {
  const [rows, columns] = [dims.rows.slots, dims.columns.slots];
  const isFilled = (slot: Slot) => slot.length > 0;
  if (!isFilled(panel.outerRow) || !isFilled(panel.outerColumn)) return [];
  return rows.slots.filter(isFilled).flatMap((row) =>
    columns.slots.filter(isFilled).map((column): PlacedCell => {
      const area = cellArea(panel.rect, rows, columns, row, column);
      return { area, box: boxOfCell(tensor, dims, panel, row, column) };
    }),
  );
}

/** The box of a cell in the tensor's own indices; dims that are not drawn are whole. */
function boxOfCell(
  { shape }: DrawnTensor,
  dims: DrawnDims,
  panel: Panel,
  row: Slot,
  column: Slot,
): Box {
  const slots = [
    { dim: dims.outerRows.dim, slot: panel.outerRow },
    { dim: dims.outerColumns.dim, slot: panel.outerColumn },
    { dim: dims.rows.dim, slot: row },
    { dim: dims.columns.dim, slot: column },
  ];
  return shape.map((size, dim) => {
    const drawn = slots.find((slot) => slot.dim === dim);
    return drawn === undefined ? { start: 0, stop: size } : drawn.slot.range;
  });
}

/** Gives each placed cell the devices that hold its box. */
function cellsOf(tensor: DrawnTensor, placed: readonly PlacedCell[]): readonly Cell[] {
  const holders = new Map<string, DeviceId[]>();
  const { mesh } = tensor.layout;
  for (const [index, boxes] of boxesByIndex(tensor.layout, tensor.shape).entries()) {
    const device = mesh.devices[index] ?? index;
    for (const box of boxes) {
      const key = boxKey(box);
      const devices = holders.get(key);
      if (devices === undefined) holders.set(key, [device]);
      else if (devices.at(-1) !== device) devices.push(device);
    }
  }
  for (const devices of holders.values()) devices.sort((a, b) => a - b);
  return placed.map(({ box, area }) => ({
    box,
    areas: [area],
    devices: holders.get(boxKey(box)) ?? [],
  }));
}

function boxKey(box: Box): string {
  return box.map((range) => `${range.start} ${range.stop}`).join(",");
}

/** Padding, cuts and outline of a facet, drawn over its cells. */
function boundMarks(tensor: DrawnTensor, dims: DrawnDims, panel: Panel): readonly Mark[] {
  const [rows, columns] = [dims.rows.slots, dims.columns.slots];
  const isEmpty = panel.outerRow.length === 0 || panel.outerColumn.length === 0;
  if (isEmpty) return [{ kind: "rect", role: "ghost", ...panel.rect }];
  const isBroken = tensor.layout.partials.length > 0 || tensor.unverified !== undefined;
  const role = isBroken ? "broken" : "outline";
  return [
    ...ghostMarks(panel.rect, rows, columns),
    ...cutMarks(panel.rect, rows, columns),
    { kind: "rect", role, ...panel.rect },
    ...unverifiedMarks(tensor, panel.rect),
  ];
}

/** The ids of a cell's devices, joined by `+` if they hold partial values; left out if too long. */
function idMarks(cell: Cell, isPartial: boolean): readonly Mark[] {
  const text = cell.devices.join(isPartial ? "+" : ",");
  return cell.areas.flatMap((area): readonly Mark[] => {
    if (text.length * 6.2 > area.width - 4) return [];
    const at = { x: area.x + area.width / 2, y: area.y + area.height / 2 + 3.5 };
    return [{ kind: "text", role: "text", at, text, anchor: "middle", style: "id" }];
  });
}
