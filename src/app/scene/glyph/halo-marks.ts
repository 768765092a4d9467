import type { Box, Range } from "#core/indexspace";
import { type Hue, tagsOf } from "../hue.ts";
import type { Mark, Rect } from "../mark.ts";
import type { DimSlots, Slot } from "./dim-slots.ts";
import type { DrawnDims, DrawnTensor, Side } from "./drawn-dims.ts";
import { type DeviceReads, haloDim } from "./halos.ts";
import type { Panel } from "./panels.ts";

/** Least thickness (px) of a visible strip. */
const leastStrip = 2.5;

/**
 * The halos: cells that devices read beyond their own parts, over the drawing of the whole, as
 * hatched and outlined strips in the hue of the sharding mesh axis. Equal halos of several devices
 * are drawn once.
 */
export function haloMarks(
  tensor: DrawnTensor,
  dims: DrawnDims,
  panels: readonly Panel[],
  devices: readonly DeviceReads[] = tensor.halos?.devices ?? [],
): readonly Mark[] {
  const seen = new Set<string>();
  return devices.flatMap(({ halos, own }) =>
    halos.flatMap((halo): readonly Mark[] => {
      const key = JSON.stringify(halo);
      if (seen.has(key)) return [];
      seen.add(key);
      const hue = hueAlong(tensor, haloDim(halo, own));
      return areasOf(halo, dims, panels).flatMap((area) => haloMark(area, hue));
    }),
  );
}

/** The marks of one strip of a halo. */
export function haloMark(area: Rect, hue: Hue | undefined): readonly Mark[] {
  return [
    { kind: "rect", role: "back", opacity: 0.7, ...area },
    { kind: "rect", role: "halo", ...(hue !== undefined && { hue }), ...area },
  ];
}

/**
 * The hue of the first mesh axis that shards this dim; for a whole dim, that of the first sharded
 * dim.
 */
export function hueAlong({ layout }: DrawnTensor, dim: number): Hue | undefined {
  const hueOf = (at: number) => tagsOf(layout.mesh, layout.dims[at]?.parts ?? [])[0]?.hue;
  const cut = [...layout.dims.keys()].map(hueOf).find((hue) => hue !== undefined);
  return hueOf(dim) ?? cut;
}

/** The areas of a box in the facets of its tensor's drawing: one per block that it touches. */
function areasOf(box: Box, dims: DrawnDims, panels: readonly Panel[]): readonly Rect[] {
  return panels.flatMap(({ rect, outerRow, outerColumn }) => {
    const isShown =
      touches(box, dims.outerRows, outerRow) && touches(box, dims.outerColumns, outerColumn);
    if (!isShown) return [];
    const down = spansOf(box, dims.rows, rect.height);
    const across = spansOf(box, dims.columns, rect.width);
    return down.flatMap((row) =>
      across.map((column): Rect => {
        return {
          x: rect.x + column.start,
          y: rect.y + row.start,
          width: column.length,
          height: row.length,
        };
      }),
    );
  });
}

function touches(box: Box, { dim }: Side, slot: Slot): boolean {
  return dim === undefined || common(box[dim], slot.range) !== undefined;
}

/** The pixel spans of a range along one side of a facet: one per slot that it reaches. */
function spansOf(box: Box, { dim, slots }: Side, pixels: number) {
  const scale = pixels / slots.extent;
  return slots.slots.flatMap((slot) => {
    const part = dim === undefined ? slot.range : common(box[dim], slot.range);
    if (part === undefined) return [];
    const start = (slot.start + part.start - slot.range.start) * scale;
    return [widened(start, (part.stop - part.start) * scale, slot, scale, slots)];
  });
}

/** A thin span widened to the least thickness, inside its block as far as possible. */
function widened(start: number, length: number, slot: Slot, scale: number, slots: DimSlots) {
  if (length >= leastStrip) return { start, length };
  const all = slots.extent * scale;
  const isFirst = start - slot.start * scale < (slot.length * scale) / 2;
  const from = isFirst ? start : start + length - leastStrip;
  return { start: Math.min(Math.max(from, 0), Math.max(0, all - leastStrip)), length: leastStrip };
}

function common(range: Range | undefined, other: Range): Range | undefined {
  if (range === undefined) return undefined;
  const [start, stop] = [Math.max(range.start, other.start), Math.min(range.stop, other.stop)];
  return start < stop ? { start, stop } : undefined;
}
