import type { Range } from "#core/indexspace";
import { blockCount, blockRanges, type Layout, type Part, partSize } from "#core/mesh";
import { type Hue, hueOf } from "../hue.ts";

/** One part of a dim's sharding; parts inside a device have no hue. */
export interface DrawnPart {
  readonly size: number;
  readonly hue: Hue | undefined;
}

/**
 * The room of one block along its dim, in indices: the block fills `length` of `room` from `start`
 * on, the rest is padding.
 */
export interface Slot {
  readonly start: number;
  readonly length: number;
  readonly room: number;
  readonly range: Range;
  /** Coordinate along each part. */
  readonly digits: readonly number[];
}

/** A dim divided into slots; a whole dim is one slot. `extent` is the total room of all slots. */
export interface DimSlots {
  readonly parts: readonly DrawnPart[];
  readonly slots: readonly Slot[];
  readonly extent: number;
}

/** The slot of a missing dim, such as the second side of a vector's drawing. */
export const noDim: DimSlots = {
  parts: [],
  slots: [{ start: 0, length: 1, room: 1, range: { start: 0, stop: 1 }, digits: [] }],
  extent: 1,
};

/**
 * Divides a dim of a layout into slots. Blocks of an uneven dim get equal rooms, so that padding
 * shows; explicit sizes are drawn unchanged. A dim of size 0 has room for one index.
 */
export function slotsOf(layout: Layout, shape: readonly number[], dim: number): DimSlots {
  const dimLayout = layout.dims[dim] ?? { parts: [], chunks: "flat" };
  const size = shape[dim] ?? 0;
  const parts = dimLayout.parts.filter((part) => partSize(part) > 1);
  const ranges = blockRanges({ ...dimLayout, parts }, size);
  const most = Math.max(...ranges.map(lengthOf), 1);
  const digitsOf = digitReader(parts);
  let start = 0;
  const slots = ranges.map((range, block): Slot => {
    const length = lengthOf(range);
    const room = dimLayout.sizes === undefined ? most : length;
    const slot = { start, length, room, range, digits: digitsOf(block) };
    start += room;
    return slot;
  });
  const hues = parts.map((part) => ({ size: partSize(part), hue: partHue(layout, part) }));
  return { parts: hues, slots, extent: Math.max(start, 1) };
}

/** The coordinates of a block along the parts of a dim. */
function digitReader(parts: readonly Part[]): (block: number) => readonly number[] {
  const places = parts.map((part, at) => ({
    size: partSize(part),
    inner: blockCount(parts.slice(at + 1)),
  }));
  return (block) => places.map(({ size, inner }) => Math.floor(block / inner) % size);
}

function partHue(layout: Layout, part: Part): Hue | undefined {
  return part.kind === "axis" ? hueOf(layout.mesh, part.axis) : undefined;
}

function lengthOf(range: Range): number {
  return range.stop - range.start;
}
