import type { Box } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import { replicationOf, slicesOf } from "#core/mesh";
import { tagsOf } from "../hue.ts";
import type { DeviceGlyphs, DeviceTile, Mark, Rect, Size } from "../mark.ts";
import { type CellLook, cellMarks, type Shown } from "./cell-marks.ts";
import type { Slot } from "./dim-slots.ts";
import { type DrawnDims, type DrawnTensor, drawnDimsOf, type Side } from "./drawn-dims.ts";
import { haloMarks } from "./halo-marks.ts";
import { unverifiedMarks } from "./panel-marks.ts";
import { type Panel, panelsOf, spanOf } from "./panels.ts";
import { questionMark } from "./scalar-glyph.ts";
import { shownOf } from "./weave.ts";

const leastPart = 2;

/**
 * The device view: per device the ghost of the whole tensor with its own parts filled in place, in
 * the mesh's row-major order; only `devices` if given. A tile takes at most `size`, without the id
 * below it; parts too small to see are drawn 2 px wide. A device without a part has an empty ghost.
 */
export function deviceGlyphsOf(
  tensor: DrawnTensor,
  size: Size,
  devices: readonly DeviceId[] = tensor.layout.mesh.devices,
): DeviceGlyphs {
  if (tensor.shape.length === 0) return scalarTiles(tensor, devices);
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
  const finder = finderOf(dims, placed.panels);
  const held = new Map<DeviceId, Held[]>(devices.map((id) => [id, []]));
  for (const slice of slicesOf(tensor.layout, tensor.shape, devices)) {
    held.get(slice.device)?.push(...heldIn(dims, finder, slice.ranges));
  }
  const tiles = devices.map((device) => {
    const tile = tileOf(tensor, device, placed.used, placed.panels, held.get(device) ?? [], look);
    const reads = tensor.halos?.devices.filter((each) => each.device === device);
    if (reads === undefined) return tile;
    return { ...tile, marks: [...tile.marks, ...haloMarks(tensor, dims, placed.panels, reads)] };
  });
  return { tile: placed.used, tiles };
}

interface Held {
  readonly area: Rect;
  readonly shown: Shown;
}

function tileOf(
  tensor: DrawnTensor,
  device: DeviceId,
  size: Size,
  panels: readonly Panel[],
  held: readonly Held[],
  look: CellLook,
): DeviceTile {
  const isBroken = tensor.layout.partials.length > 0 || tensor.unverified !== undefined;
  const bound = isBroken ? "broken" : "outline";
  const marks: readonly Mark[] = [
    ...panels.map(({ rect }): Mark => ({ kind: "rect", role: "ghost", ...rect })),
    ...held.flatMap(({ area, shown }): readonly Mark[] => [
      { kind: "rect", role: "back", ...area },
      ...cellMarks(area, shown, look),
      { kind: "rect", role: bound, ...area },
      ...unverifiedMarks(tensor, area),
    ]),
  ];
  return { device, ...size, marks, areas: held.map(({ area }) => area) };
}

/** Finds the slot of each side, and the facet, in which a box lies. */
interface Finder {
  readonly slot: (side: Side, box: Box) => Slot | undefined;
  readonly panel: (outerRow: Slot | undefined, outerColumn: Slot | undefined) => Panel | undefined;
}

/** A finder that indexes slots by their start, since there may be as many slots as devices. */
function finderOf(dims: DrawnDims, panels: readonly Panel[]): Finder {
  const sides = [dims.rows, dims.columns, dims.outerRows, dims.outerColumns];
  const byStart = new Map(
    sides.map((side) => {
      const filled = side.slots.slots.filter((slot) => slot.length > 0);
      return [side, new Map(filled.map((slot) => [slot.range.start, slot]))] as const;
    }),
  );
  return {
    slot: (side, box) => {
      const { dim } = side;
      if (dim === undefined) return side.slots.slots[0];
      return byStart.get(side)?.get(box[dim]?.start ?? -1);
    },
    panel: (outerRow, outerColumn) =>
      panels.find((each) => each.outerRow === outerRow && each.outerColumn === outerColumn),
  };
}

/** The area of a box of the tensor in the facets, with the coordinates that fill it. */
function heldIn(dims: DrawnDims, finder: Finder, ranges: Box): readonly Held[] {
  if (ranges.some((range) => range.stop <= range.start)) return [];
  const row = finder.slot(dims.rows, ranges);
  const column = finder.slot(dims.columns, ranges);
  const outerRow = finder.slot(dims.outerRows, ranges);
  const outerColumn = finder.slot(dims.outerColumns, ranges);
  const panel = finder.panel(outerRow, outerColumn);
  if (row === undefined || column === undefined || panel === undefined) return [];
  const down = spanOf(dims.rows.slots, row, panel.rect.height);
  const across = spanOf(dims.columns.slots, column, panel.rect.width);
  const area = {
    x: panel.rect.x + Math.min(across.start, panel.rect.width - leastPart),
    y: panel.rect.y + Math.min(down.start, panel.rect.height - leastPart),
    width: Math.max(across.filled, leastPart),
    height: Math.max(down.filled, leastPart),
  };
  return [{ area, shown: shownOf(dims, panel, row, column) }];
}

function lookOf({ layout, unverified }: DrawnTensor): CellLook {
  const tags = (parts: Parameters<typeof tagsOf>[1]) => tagsOf(layout.mesh, parts)[0]?.hue;
  const partial = tags(layout.partials.map(({ part }) => part));
  return {
    partialHues: partial === undefined ? [] : [partial],
    hatch: unverified === undefined ? tags(replicationOf(layout)) : undefined,
  };
}

/** The tiles of a scalar, which every device holds. */
function scalarTiles({ dimNames }: DrawnTensor, devices: readonly DeviceId[]): DeviceGlyphs {
  const tile = { width: 14, height: 14 };
  const isUnknown = dimNames.length > 0;
  const center = { x: 7, y: 7 };
  const marks: readonly Mark[] = [
    { kind: "circle", role: "whole", center, radius: 7 },
    { kind: "circle", role: isUnknown ? "broken" : "outline", center, radius: 7 },
    isUnknown ? questionMark : { kind: "circle", role: "dot", center, radius: 2.4 },
  ];
  const tiles = devices.map((device) => ({
    device,
    ...tile,
    marks,
    areas: [{ x: 0, y: 0, ...tile }],
  }));
  return { tile, tiles };
}
