import { lengthOf, type Range, sameBox } from "#core/indexspace";
import {
  axisSize,
  blockCount,
  type DimLayout,
  digitOf,
  type Layout,
  type Part,
  type Partial,
  partSize,
  type ReduceKind,
  samePart,
} from "./layout.ts";
import type { DeviceId, DeviceMesh } from "./mesh.ts";
import { printLayout } from "./print-layout.ts";
import { rangesAt, rangesByIndex } from "./slices.ts";

/**
 * Whether two layouts put the same elements, and the same contributions to them, on the same
 * devices, so that nothing has to move between them.
 *
 * They may be written on different arrangements of the devices. The order in which a device stores
 * its pieces does not count, since local reordering is free (redistribution.md §7.1).
 */
export function sameBlocks(a: Layout, b: Layout, shape: readonly number[]): boolean {
  if (a.mesh === b.mesh && isSpeltAlike(a, b)) return true;
  // Flat and nested chunks of an even dim are the same blocks, so the texts are comparable only
  // with the same chunks.
  if (a.mesh === b.mesh && sameChunks(a, b)) {
    if (isOnlySo(a, shape) && isOnlySo(b, shape)) return false;
    if (printLayout(a) === printLayout(b)) return true;
    if (isTelling(a, shape) && isTelling(b, shape)) return false;
  }
  const kinds = [a, b].map(({ partials }) => kindsOf(partials).join());
  // Partial and whole values are the same only for a tensor without elements.
  if (kinds[0] !== kinds[1] && !shape.includes(0)) return false;
  if (!sameRanges(a, b, shape)) return false;
  if (kinds.every((kind) => kind === "")) return true;
  const [first, second] = [blockKeys(a, shape), blockKeys(b, shape)];
  return (
    first.size === second.size && [...first].every(([device, key]) => key === second.get(device))
  );
}

/** Whether two layouts are the same part by part: the most frequent case, found quickly. */
function isSpeltAlike(a: Layout, b: Layout): boolean {
  if (a === b) return true;
  if (a.dims.length !== b.dims.length || a.partials.length !== b.partials.length) return false;
  return (
    a.dims.every((dim, at) => isCutAlike(dim, b.dims[at])) &&
    a.partials.every(({ part, reduce }, at) => {
      const other = b.partials[at];
      return other?.reduce === reduce && samePart(part, other.part);
    })
  );
}

function isCutAlike(a: DimLayout, b: DimLayout | undefined): boolean {
  if (b === undefined || a.chunks !== b.chunks || a.sizes !== b.sizes) return false;
  if (a.parts === b.parts) return true;
  if (a.parts.length !== b.parts.length) return false;
  return a.parts.every((part, at) => {
    const other = b.parts[at];
    return other !== undefined && samePart(part, other);
  });
}

function sameChunks(a: Layout, b: Layout): boolean {
  return a.dims.every((dim, at) => dim.chunks === b.dims[at]?.chunks);
}

/**
 * Whether a layout that `isTelling` can be written in only one way: all parts are whole axes, so
 * none merge, and there is at most one partial part, so its order does not count.
 */
function isOnlySo(layout: Layout, shape: readonly number[]): boolean {
  const { mesh, dims, partials } = layout;
  const isWhole = (part: Part) =>
    part.kind === "axis" && part.before === 1 && part.size === axisSize(mesh, part.axis);
  return (
    partials.length < 2 &&
    partials.every(({ part }) => isWhole(part)) &&
    dims.every(({ parts }) => parts.every(isWhole)) &&
    isTelling(layout, shape)
  );
}

/**
 * Whether different texts mean different blocks: every part cuts its dim evenly. Two such layouts
 * of one mesh with different texts have different blocks.
 */
function isTelling(layout: Layout, shape: readonly number[]): boolean {
  const cuts = (part: Part) => part.kind === "axis" && part.size > 1;
  return (
    layout.partials.every(({ part }) => cuts(part)) &&
    layout.dims.every(
      (dim, at) =>
        dim.sizes === undefined &&
        dim.parts.every(cuts) &&
        (shape[at] ?? 0) > 0 &&
        (shape[at] ?? 0) % blockCount(dim.parts) === 0,
    )
  );
}

/** Whether all devices hold the same ranges. Empty blocks are equal, whichever dim is empty. */
function sameRanges(a: Layout, b: Layout, shape: readonly number[]): boolean {
  if (a.mesh.devices.length !== b.mesh.devices.length) return false;
  const placeIn = deviceIndicesIn(b.mesh, a.mesh);
  const [held, other] = [heldAlong(a, shape), heldAlong(b, shape)];
  return a.mesh.devices.every((device, index) => {
    const place = placeIn(device, index);
    if (place === undefined) return false;
    const isEmpty = held.some((of) => of(index).length === 0);
    if (isEmpty !== other.some((of) => of(place).length === 0)) return false;
    return isEmpty || held.every((of, at) => sameBox(of(index), other[at]?.(place) ?? []));
  });
}

/** For each device of `other`, by its id, its index in `mesh`; `undefined` if `mesh` lacks it. */
export function deviceIndicesIn(
  mesh: DeviceMesh,
  other: DeviceMesh,
): (device: DeviceId, index: number) => number | undefined {
  const isSame = mesh === other || mesh.devices.every((id, at) => id === other.devices[at]);
  if (isSame) return (_, index) => index;
  const places = new Map(mesh.devices.map((id, at) => [id, at]));
  return (device) => places.get(device);
}

/** Per device its block and, per kind of partial, the devices that hold the same contribution. */
function blockKeys(layout: Layout, shape: readonly number[]): ReadonlyMap<DeviceId, string> {
  const blocks = new Map([...heldOf(layout, shape)].map(([id, held]) => [id, textOf(held)]));
  const kinds = kindsOf(layout.partials);
  const fellows = kinds.map((kind) => [kind, fellowsOf(layout, kind, blocks)] as const);
  return new Map(
    [...blocks].map(([device, block]) => {
      const shared = fellows.map(([kind, of]) => `${kind}:${of.get(device)}`);
      return [device, block === "" ? "" : [block, ...shared].join(" ")];
    }),
  );
}

/** Text of the devices that hold the same block and the same contribution of one kind. */
function fellowsOf(
  layout: Layout,
  kind: ReduceKind,
  blocks: ReadonlyMap<DeviceId, string>,
): ReadonlyMap<DeviceId, string> {
  const { mesh, partials } = layout;
  const parts = partials.filter(({ reduce }) => reduce === kind).map(({ part }) => part);
  const groups = new Map<string, DeviceId[]>();
  mesh.devices.forEach((device, index) => {
    const key = `${parts.map((part) => digitOf(mesh, part, index))} ${blocks.get(device)}`;
    const fellows = groups.get(key);
    if (fellows === undefined) groups.set(key, [device]);
    else fellows.push(device);
  });
  const named = new Map<DeviceId, string>();
  for (const group of groups.values()) {
    const text = group.sort((a, b) => a - b).join(",");
    for (const device of group) named.set(device, text);
  }
  return named;
}

function kindsOf(partials: readonly Partial[]): readonly ReduceKind[] {
  const kinds = partials.filter(({ part }) => partSize(part) > 1).map(({ reduce }) => reduce);
  return [...new Set(kinds)].sort();
}

/** Text of a device's block; empty if the device holds nothing. */
function textOf(held: Held extends ReadonlyMap<DeviceId, infer Block> ? Block : never): string {
  if (held.some((ranges) => ranges.length === 0)) return "";
  const dims = held.map((ranges) => ranges.map(({ start, stop }) => `${start}-${stop}`).join("+"));
  return `[${dims.join(",")}]`;
}

/**
 * The indices of every dim that each device holds, as sorted, non-empty ranges with gaps between
 * them. A device holds the product of its dims, so nothing when one dim has no range.
 */
export type Held = ReadonlyMap<DeviceId, readonly (readonly Range[])[]>;

/**
 * The indices that each device holds, independent of the layout's spelling (redistribution.md
 * §1.5).
 */
export function heldOf(layout: Layout, shape: readonly number[]): Held {
  const perDim = heldByDim(layout, shape);
  return new Map(
    layout.mesh.devices.map((device, index) => [device, perDim.map((dim) => dim[index] ?? [])]),
  );
}

/**
 * `heldOf` dim by dim: the ranges of every device, in the order of the mesh. Devices with equal blocks
 * may share one list.
 */
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

/** The ranges of a dim that the device at an index of the mesh holds; computed on demand. */
export type HeldAlong = (index: number) => readonly Range[];

/** `heldOf` dim by dim, without a list of all devices. */
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
  const count = blockCount(dim.parts);
  if (isPlain && size % count === 0) return size / count;
  // The first block is the longest, for flat chunks and for chunks of chunks.
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

/** Remembers the result for each list of ranges, since many devices share a list. */
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

/** A list with its one range, or an empty list if the range is empty. */
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
