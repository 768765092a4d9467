import { lengthOf, type Range } from "#core/indexspace";
import type { DimLayout, Layout } from "./layout.ts";
import type { DeviceId } from "./mesh.ts";
import { dimCount, partSize } from "./part.ts";
import { rangesAt, rangesByIndex } from "./slices.ts";

/**
 * The indices of every dim that each device holds, as sorted ranges that neither touch nor are
 * empty. A device holds the product of them: nothing when one dim has no range.
 */
export type Held = ReadonlyMap<DeviceId, readonly (readonly Range[])[]>;

/** The map from device to block, free of how the layout is written (redistribution.md §1.5). */
export function heldOf(layout: Layout, shape: readonly number[]): Held {
  const perDim = heldByDim(layout, shape);
  return new Map(
    layout.mesh.devices.map((device, index) => [device, perDim.map((dim) => dim[index] ?? [])]),
  );
}

/** The same as a list per dim, of the devices in the mesh's own order; equal blocks may be shared. */
export function heldByDim(
  { mesh, dims }: Layout,
  shape: readonly number[],
): readonly (readonly (readonly Range[])[])[] {
  return dims.map((dim, at) => {
    const ranges = rangesByIndex(mesh, dim, shape[at] ?? 0);
    const isSingle = dim.parts.every(({ kind }) => kind === "axis");
    return isSingle ? ranges.map(withoutEmpty) : ranges.map(eachOnce(mergeRanges));
  });
}

/** What the device at an index of the mesh holds of a dim, found when it is asked for. */
export type HeldAlong = (index: number) => readonly Range[];

/** The same for each dim, without a list of all devices. */
export function heldAlong({ mesh, dims }: Layout, shape: readonly number[]): readonly HeldAlong[] {
  return dims.map((dim, at) => {
    const ranges = rangesAt(mesh, dim, shape[at] ?? 0);
    const isSingle = dim.parts.every(({ kind }) => kind === "axis");
    const held = isSingle ? withoutEmpty : eachOnce(mergeRanges);
    return (index) => held(ranges(index));
  });
}

/** Shape of the largest block of a device: per dim, the most indices that one device holds. */
export function localShape(layout: Layout, shape: readonly number[]): readonly number[] {
  return layout.dims.map((dim, at) => localLength(layout, dim, shape[at] ?? 0));
}

function localLength({ mesh }: Layout, dim: DimLayout, size: number): number {
  if (dim.sizes === undefined && dim.parts.length === 0) return size;
  const isPlain = dim.sizes === undefined && dim.parts.every(({ kind }) => kind === "axis");
  const count = dimCount(dim);
  if (isPlain && size % count === 0) return size / count;
  // The first block is the longest: of flat chunks, and of chunks of chunks.
  if (isPlain && dim.chunks === "flat") return Math.ceil(size / count);
  if (isPlain) return dim.parts.reduce((length, part) => Math.ceil(length / partSize(part)), size);
  const lengths = rangesByIndex(mesh, dim, size).map(eachOnce(totalLength));
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

/**
 * Elements on the fullest device, without padding: the product of `localShape`, because the dims
 * are cut by different parts, so one device is largest in all of them. 1 at rank 0.
 */
export function localElements(layout: Layout, shape: readonly number[]): number {
  let elements = 1;
  for (const [at, dim] of layout.dims.entries())
    elements *= localLength(layout, dim, shape[at] ?? 0);
  return elements;
}

/** What is asked of one list of ranges again and again is found once: many devices share it. */
function eachOnce<T>(of: (ranges: readonly Range[]) => T): (ranges: readonly Range[]) => T {
  const known = new Map<readonly Range[], T>();
  return (ranges) => {
    const found = known.get(ranges) ?? of(ranges);
    known.set(ranges, found);
    return found;
  };
}

function totalLength(ranges: readonly Range[]): number {
  return ranges.reduce((total, range) => total + lengthOf(range), 0);
}

const nothing: readonly Range[] = [];

/** One range, or none where it is empty. */
function withoutEmpty(ranges: readonly Range[]): readonly Range[] {
  const [first] = ranges;
  return first !== undefined && first.stop > first.start ? ranges : nothing;
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const filled = ranges.filter((range) => lengthOf(range) > 0);
  const merged: Range[] = [];
  for (const range of filled.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last?.stop !== range.start) merged.push(range);
    else merged[merged.length - 1] = { start: last.start, stop: range.stop };
  }
  return merged;
}
