import type { DeviceId } from "#core/mesh";
import { replicationOf, slicesOf } from "#core/mesh";
import { type CellLook, type Coordinate, cellMarks, coordinatesIn } from "./cell-marks.ts";
import type { DimSlots } from "./dim-slots.ts";
import { type DrawnDims, type DrawnTensor, drawnDimsOf } from "./drawn-dims.ts";
import { haloMarks } from "./halo-marks.ts";
import { tagsOf } from "./hue.ts";
import type { DeviceGlyphs, DeviceTile, Mark, Rect, Size } from "./mark.ts";
import { asGivenMarks } from "./panel-marks.ts";
import { type Panel, panelsOf, spanOf } from "./panels.ts";

const leastPart = 2;

/**
 * The device view: per device the ghost of the whole with its own parts filled in place, in the
 * mesh's row-major order. A tile takes at most `size`, the id below it not counted; parts too small
 * to see are drawn 2 px wide. A device without a part keeps the empty ghost.
 */
export function deviceGlyphsOf(tensor: DrawnTensor, size: Size): DeviceGlyphs {
  if (tensor.shape.length === 0) return scalarTiles(tensor);
  const dims = drawnDimsOf(tensor);
  const placed = panelsOf({
    tensor,
    dims,
    size,
    margins: { left: 0, top: 0 },
    layerCount: 0,
    fills: false,
  });
  const look = lookOf(tensor);
  const held = new Map<DeviceId, Held[]>(tensor.layout.mesh.devices.map((id) => [id, []]));
  for (const slice of slicesOf(tensor.layout, tensor.shape)) {
    held.get(slice.device)?.push(...heldIn(dims, placed.panels, slice.ranges));
  }
  const tiles = tensor.layout.mesh.devices.map((device) => {
    const tile = tileOf(tensor, device, placed.used, placed.panels, held.get(device) ?? [], look);
    const reads = tensor.halos?.devices.filter((each) => each.device === device);
    if (reads === undefined) return tile;
    return { ...tile, marks: [...tile.marks, ...haloMarks(tensor, dims, placed.panels, reads)] };
  });
  return { tile: placed.used, tiles };
}

interface Held {
  readonly area: Rect;
  readonly coordinates: readonly Coordinate[];
}

function tileOf(
  tensor: DrawnTensor,
  device: DeviceId,
  size: Size,
  panels: readonly Panel[],
  held: readonly Held[],
  look: CellLook,
): DeviceTile {
  const isBroken = tensor.layout.partials.length > 0 || tensor.asGiven !== undefined;
  const bound = isBroken ? "broken" : "outline";
  const marks: readonly Mark[] = [
    ...panels.map(({ rect }): Mark => ({ kind: "rect", role: "ghost", ...rect })),
    ...held.flatMap(({ area, coordinates }): readonly Mark[] => [
      { kind: "rect", role: "back", ...area },
      ...cellMarks(area, coordinates, { ...look, hasTexture: hasTexture(area) }),
      { kind: "rect", role: bound, ...area },
      ...asGivenMarks(tensor, area),
    ]),
  ];
  return { device, ...size, marks, areas: held.map(({ area }) => area) };
}

/** Where a box of the tensor lies in the facets, with the coordinates that fill it. */
function heldIn(
  dims: DrawnDims,
  panels: readonly Panel[],
  ranges: readonly { readonly start: number; readonly stop: number }[],
): readonly Held[] {
  if (ranges.some((range) => range.stop <= range.start)) return [];
  const find = (slots: DimSlots, dim: number | undefined) =>
    slots.slots.find(
      (slot) => dim === undefined || (slot.length > 0 && slot.range.start === ranges[dim]?.start),
    );
  const row = find(dims.rows.slots, dims.rows.dim);
  const column = find(dims.columns.slots, dims.columns.dim);
  const outerRow = find(dims.outerRows.slots, dims.outerRows.dim);
  const outerColumn = find(dims.outerColumns.slots, dims.outerColumns.dim);
  const panel = panels.find(
    (each) => each.outerRow === outerRow && each.outerColumn === outerColumn,
  );
  if (row === undefined || column === undefined || panel === undefined) return [];
  const down = spanOf(dims.rows.slots, row, panel.rect.height);
  const across = spanOf(dims.columns.slots, column, panel.rect.width);
  const area = {
    x: panel.rect.x + Math.min(across.start, panel.rect.width - leastPart),
    y: panel.rect.y + Math.min(down.start, panel.rect.height - leastPart),
    width: Math.max(across.filled, leastPart),
    height: Math.max(down.filled, leastPart),
  };
  const inner = [
    ...coordinatesIn(dims.rows.slots, row),
    ...coordinatesIn(dims.columns.slots, column),
  ];
  const outer = [
    ...coordinatesIn(dims.outerRows.slots, panel.outerRow),
    ...coordinatesIn(dims.outerColumns.slots, panel.outerColumn),
  ];
  return [{ area, coordinates: inner.length > 0 ? inner : outer }];
}

function lookOf({ layout, asGiven }: DrawnTensor): CellLook {
  const tags = (parts: Parameters<typeof tagsOf>[1]) => tagsOf(layout.mesh, parts)[0]?.hue;
  const partial = tags(layout.partials.map(({ part }) => part));
  return {
    hasTexture: false,
    partialHues: partial === undefined ? [] : [partial],
    hatch: asGiven === undefined ? tags(replicationOf(layout)) : undefined,
  };
}

function hasTexture(area: Rect): boolean {
  return area.width >= 12 && area.height >= 12;
}

/** Every device holds the one number. */
function scalarTiles({ layout }: DrawnTensor): DeviceGlyphs {
  const tile = { width: 14, height: 14 };
  const center = { x: 7, y: 7 };
  const marks: readonly Mark[] = [
    { kind: "circle", role: "whole", center, radius: 7 },
    { kind: "circle", role: "outline", center, radius: 7 },
    { kind: "circle", role: "dot", center, radius: 2.4 },
  ];
  const tiles = layout.mesh.devices.map((device) => ({
    device,
    ...tile,
    marks,
    areas: [{ x: 0, y: 0, ...tile }],
  }));
  return { tile, tiles };
}
