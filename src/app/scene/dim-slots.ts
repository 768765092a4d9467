import type { Range } from "#core/indexspace";
import {
  type DeviceMesh,
  type DimLayout,
  digitOf,
  dimCount,
  type Layout,
  type Part,
  partSize,
  slicesOf,
} from "#core/mesh";
import { type Hue, hueOf } from "./hue.ts";

/** One part of a dim as drawings need it; pieces inside a device have no hue. */
export interface DrawnPart {
  readonly size: number;
  readonly hue: Hue | undefined;
}

/**
 * The room of one block along its dim, in indices: the block fills `length` of `room` from
 * `start` on, the rest is padding.
 */
export interface Slot {
  readonly start: number;
  readonly length: number;
  readonly room: number;
  readonly range: Range;
  /** Coordinate along each part. */
  readonly digits: readonly number[];
}

/** A dim cut into slots; a whole dim is one slot. `extent` is the room of all slots together. */
export interface DimSlots {
  readonly parts: readonly DrawnPart[];
  readonly slots: readonly Slot[];
  readonly extent: number;
}

/** The slot of a dim that is not there: what the second side of a vector is drawn with. */
export const noDim: DimSlots = {
  parts: [],
  slots: [{ start: 0, length: 1, room: 1, range: { start: 0, stop: 1 }, digits: [] }],
  extent: 1,
};

/**
 * Cuts a dim of a layout into slots. Blocks of an uneven dim get rooms of one size, so that padding
 * shows; explicit sizes are drawn as they are. A dim of size 0 has room for one index.
 */
export function slotsOf(layout: Layout, shape: readonly number[], dim: number): DimSlots {
  const dimLayout = layout.dims[dim] ?? { parts: [], chunks: "flat" };
  const size = shape[dim] ?? 0;
  const parts = dimLayout.parts.filter((part) => partSize(part) > 1);
  const ranges = blockRangesOf(layout, { ...dimLayout, parts }, size);
  const most = Math.max(...ranges.map(lengthOf), 1);
  let start = 0;
  const slots = ranges.map((range, block): Slot => {
    const length = lengthOf(range);
    const room = dimLayout.sizes === undefined ? most : length;
    const slot = { start, length, room, range, digits: digitsOf(parts, block) };
    start += room;
    return slot;
  });
  const hues = parts.map((part) => ({ size: partSize(part), hue: partHue(layout, part) }));
  return { parts: hues, slots, extent: Math.max(start, 1) };
}

/** The ranges of all blocks of one dim, in the row-major order of its parts. */
function blockRangesOf(layout: Layout, dim: DimLayout, size: number): readonly Range[] {
  const mesh = meshAlong(layout.mesh, dim);
  const indexOf = new Map(mesh.devices.map((device, index) => [device, index]));
  const none = { start: size, stop: size };
  const ranges: Range[] = Array.from({ length: dimCount(dim) }, () => none);
  for (const slice of slicesOf({ mesh, dims: [dim], partials: [] }, [size])) {
    const block = blockOf(mesh, dim, indexOf.get(slice.device) ?? 0, slice.piece);
    ranges[block] = slice.ranges[0] ?? none;
  }
  return ranges;
}

/** The axes that cut a dim as a mesh of their own: all its blocks lie on these few devices. */
function meshAlong(mesh: DeviceMesh, dim: DimLayout): DeviceMesh {
  const names = dim.parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
  const axes = mesh.axes.filter((axis) => names.includes(axis.name));
  const count = axes.reduce((product, axis) => product * axis.size, 1);
  return { axes, devices: Array.from({ length: count }, (_, id) => id) };
}

/** The number of the block that is a device's n-th piece of a dim. */
function blockOf(mesh: DeviceMesh, dim: DimLayout, index: number, piece: number): number {
  const pieces = dim.parts.map((part) => (part.kind === "pieces" ? part.count : 1));
  return dim.parts.reduce((block, part, at) => {
    const inner = pieces.slice(at + 1).reduce((product, count) => product * count, 1);
    const digit =
      part.kind === "pieces" ? Math.floor(piece / inner) % part.count : digitOf(mesh, part, index);
    return block * partSize(part) + digit;
  }, 0);
}

function digitsOf(parts: readonly Part[], block: number): readonly number[] {
  return parts.map((part, at) => {
    const inner = parts.slice(at + 1).reduce((product, next) => product * partSize(next), 1);
    return Math.floor(block / inner) % partSize(part);
  });
}

function partHue(layout: Layout, part: Part): Hue | undefined {
  return part.kind === "axis" ? hueOf(layout.mesh, part.axis) : undefined;
}

function lengthOf(range: Range): number {
  return range.stop - range.start;
}
