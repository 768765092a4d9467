import { type Box, boxOf, lengthOf, type Range } from "#core/indexspace";
import { blockCount, type DimLayout, type Layout, partSize, partStride } from "./layout.ts";
import { type AxisName, coordinatesOf, type DeviceId, type DeviceMesh } from "./mesh.ts";

/** One box of a tensor that one device holds. */
export interface Slice {
  readonly device: DeviceId;
  /** The device's coordinate on each mesh axis. */
  readonly coordinates: Readonly<Record<AxisName, number>>;
  /** The box in the tensor's own indices; an empty range is `[n, n)` with the dim's size n. */
  readonly ranges: Box;
  /** Whether other devices hold further contributions to the same elements. */
  readonly partial: boolean;
  /** The number of the box among the device's, from 0; all dims' pieces in row-major order. */
  readonly piece: number;
}

/**
 * The boxes of a tensor that each device holds, by device id, then by piece. With `devices`: only
 * theirs, in their order; a device outside the mesh holds nothing.
 *
 * An uneven flat dim is cut into blocks of the ceiling, the last ones short or empty; nested chunks
 * cut part by part, each by the ceiling of the remaining length (DTensor, redistribution.md §1.3);
 * explicit sizes are taken as they are. A device has one slice unless a dim is cut into pieces. The
 * layout must fit the shape (`checkLayout`).
 */
export function slicesOf(
  layout: Layout,
  shape: readonly number[],
  devices?: readonly DeviceId[],
): readonly Slice[] {
  const { mesh } = layout;
  const partial = layout.partials.some(({ part }) => partSize(part) > 1);
  const heldAt = boxesAt(layout, shape);
  const indexes = devices === undefined ? byDeviceId(mesh) : indexesOf(mesh, devices);
  return indexes.flatMap((index) => {
    const device = mesh.devices[index] ?? index;
    const coordinates = coordinatesOf(mesh, index);
    return heldAt(index).map(
      (ranges, piece): Slice => ({ device, coordinates, ranges, partial, piece }),
    );
  });
}

/** Indices into the mesh's list of devices, in the order of device ids. */
function byDeviceId({ devices }: DeviceMesh): readonly number[] {
  const indexes = devices.map((_, index) => index);
  const isInOrder = devices.every((device, index) => device === index);
  return isInOrder ? indexes : indexes.sort((a, b) => (devices[a] ?? 0) - (devices[b] ?? 0));
}

function indexesOf({ devices }: DeviceMesh, wanted: readonly DeviceId[]): readonly number[] {
  const isInOrder = wanted.every((device) => devices[device] === device);
  if (isInOrder) return wanted;
  const indexes = new Map(devices.map((device, index) => [device, index]));
  return wanted.flatMap((device) => indexes.get(device) ?? []);
}

/** Boxes per device, in the order of a mesh. */
export type DeviceBoxes = readonly (readonly Box[])[];

/** The boxes of `slicesOf`, per device by piece. */
export function boxesByIndex(layout: Layout, shape: readonly number[]): DeviceBoxes {
  const heldAt = boxesAt(layout, shape);
  return layout.mesh.devices.map((_, index) => heldAt(index));
}

/** The boxes that the device at an index of the mesh holds, by piece: all dims' in row-major order. */
function boxesAt(layout: Layout, shape: readonly number[]): (index: number) => readonly Box[] {
  const perDim = layout.dims.map((dim, at) => rangesAt(layout.mesh, dim, shape[at] ?? 0));
  return (index) => {
    const held = perDim.map((ranges) => ranges(index));
    const firsts: Range[] = [];
    for (const [first, second] of held)
      if (first !== undefined && second === undefined) firsts.push(first);
    if (firsts.length === held.length) return [firsts];
    return held.reduce<readonly Box[]>(
      (boxes, ranges) => boxes.flatMap((box) => ranges.map((range) => [...box, range])),
      [[]],
    );
  };
}

/** The ranges of one dim that each device holds, in the order of its pieces. */
export function rangesByIndex(
  mesh: DeviceMesh,
  dim: DimLayout,
  size: number,
): readonly (readonly Range[])[] {
  const held = rangesAt(mesh, dim, size);
  return mesh.devices.map((_, index) => held(index));
}

/**
 * The ranges of one dim that the device at an index of the mesh holds, in the order of its pieces.
 * Devices whose digits along the dim are the same get the same list: each is made once.
 */
export function rangesAt(
  mesh: DeviceMesh,
  dim: DimLayout,
  size: number,
): (index: number) => readonly Range[] {
  const rangeOf = blockRange(dim, size);
  const digits = dim.parts.flatMap((part) =>
    part.kind === "axis" ? { stride: partStride(mesh, part), size: part.size } : [],
  );
  const isPlain = digits.length === dim.parts.length;
  const alone = listsOfOne();
  const known: (readonly Range[])[] = [];
  return (index) => {
    let place = 0;
    for (const digit of digits)
      place = place * digit.size + (Math.floor(index / digit.stride) % digit.size);
    known[place] ??= isPlain ? alone(rangeOf(place)) : blocksAt(dim, place).map(rangeOf);
    return known[place] ?? [];
  };
}

/**
 * Makes lists with one range each; consecutive equal ranges, as past the end of a dim, share one
 * list.
 */
function listsOfOne(): (range: Range) => readonly Range[] {
  let last: readonly Range[] = [];
  return (range) => {
    if (last[0] !== range) last = [range];
    return last;
  };
}

/** The range of a block by its number, without a list of all blocks if the chunks are equal. */
function blockRange(dim: DimLayout, size: number): (block: number) => Range {
  const end = { start: size, stop: size };
  if (dim.sizes !== undefined || dim.chunks !== "flat") {
    const ranges = blockRanges(dim, size);
    return (block) => ranges[block] ?? end;
  }
  const chunk = Math.ceil(size / blockCount(dim.parts));
  return (block) => {
    const start = block * chunk;
    return start < size ? { start, stop: Math.min(start + chunk, size) } : end;
  };
}

/**
 * The numbers of the blocks of a dim that a device holds, in the order of its pieces.
 *
 * @param place its digits along the parts that are axes, as one number
 */
function blocksAt(dim: DimLayout, place: number): readonly number[] {
  let [blocks, rest] = [[0], place];
  let stride = 1;
  for (const part of dim.parts.toReversed()) {
    const size = partSize(part);
    if (part.kind === "axis") {
      const offset = (rest % size) * stride;
      rest = Math.floor(rest / size);
      blocks = blocks.map((block) => block + offset);
    } else {
      const pieces = Array.from({ length: size }, (_, piece) => piece * stride);
      blocks = pieces.flatMap((offset) => blocks.map((block) => block + offset));
    }
    stride *= size;
  }
  return blocks;
}

/** The ranges of all blocks of a dim, in the row-major order of its parts; an empty one ends it. */
export function blockRanges(dim: DimLayout, size: number): readonly Range[] {
  const ranges = dim.sizes
    ? sizedRanges(dim.sizes)
    : dim.chunks === "flat"
      ? chunksOf({ start: 0, stop: size }, blockCount(dim.parts))
      : dim.parts.reduce(
          (levels, part) => levels.flatMap((range) => chunksOf(range, partSize(part))),
          boxOf([size]),
        );
  return ranges.map((range) => (lengthOf(range) > 0 ? range : { start: size, stop: size }));
}

function sizedRanges(sizes: readonly number[]): readonly Range[] {
  let start = 0;
  return sizes.map((size) => {
    const range = { start, stop: start + size };
    start = range.stop;
    return range;
  });
}

/** A range in `count` chunks of the ceiling; the last ones are short or empty. */
function chunksOf(range: Range, count: number): readonly Range[] {
  const chunk = Math.ceil(lengthOf(range) / count);
  const edge = (at: number) => Math.min(range.start + at * chunk, range.stop);
  return Array.from({ length: count }, (_, at) => ({ start: edge(at), stop: edge(at + 1) }));
}
