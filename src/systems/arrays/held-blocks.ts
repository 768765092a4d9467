import { product } from "#core/arithmetic";
import { type Box, lengthOf, type Range } from "#core/indexspace";
import { heldByDim } from "#core/mesh";
import type { Value } from "#core/program";
import type { MeshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";

/** The blocks of one dim: ranges of indices, by coordinate along the mesh axes that cut it. */
export interface HeldDim {
  /** Mesh axes, outermost first; empty when all devices hold the same ranges. */
  readonly axes: readonly string[];
  /**
   * Ascending ranges in the tensor's indices, concatenated in the block; an empty block has none.
   */
  readonly blocks: readonly (readonly Range[])[];
}

/** Blocks of a tensor on all devices, as the product of the ranges held per dim. */
export interface HeldBlocks {
  readonly dims: readonly HeldDim[];
  /** Whether all blocks have equal lengths, dim by dim, and none is a window. */
  readonly isEven: boolean;
}

/** @throws NotWritten when a device's boxes are no product of ranges per dim */
export function heldBlocks(
  { layout, held }: Pick<Value, "layout" | "held">,
  shape: readonly number[],
  mesh: MeshAtoms,
  name: string,
): HeldBlocks {
  if (held !== undefined) {
    const perDevice = held.map((boxes) => rangesByDim(boxes, shape, name));
    const dims = shape.map((_, dim) =>
      heldDim(
        perDevice.map((ranges) => ranges[dim] ?? []),
        mesh,
      ),
    );
    return { dims, isEven: false };
  }
  const perDim = heldByDim(layout, shape);
  const dims = layout.dims.map(({ parts }, dim): HeldDim => {
    const axes = mesh.axesOf(parts);
    const blocks: (readonly Range[])[] = [];
    for (const [index, ranges] of (perDim[dim] ?? []).entries())
      blocks[positionAlong(mesh, axes, index)] ??= ranges;
    return { axes, blocks };
  });
  return { dims, isEven: dims.every(isEvenDim) };
}

function isEvenDim(dim: HeldDim): boolean {
  const [first, ...others] = blockLengths(dim);
  const pieces = new Set(dim.blocks.flat().map(lengthOf));
  return pieces.size < 2 && others.every((length) => length === first);
}

/** Number of indices in each block, by position along the cutting axes. */
export function blockLengths({ blocks }: HeldDim): readonly number[] {
  return blocks.map((ranges) => ranges.reduce((sum, range) => sum + lengthOf(range), 0));
}

/** The most indices of a dim that one device holds. */
export function longestBlock(dim: HeldDim): number {
  return Math.max(0, ...blockLengths(dim));
}

/** Ranges of every dim on one device, by its index in the mesh. */
function blockAt(
  { dims }: Pick<HeldBlocks, "dims">,
  mesh: MeshAtoms,
  index: number,
): readonly (readonly Range[])[] {
  return dims.map(({ axes, blocks }) => blocks[positionAlong(mesh, axes, index)] ?? []);
}

/** Number of elements in the block of a device, by its index in the mesh. */
export function elementsAt(held: HeldBlocks, mesh: MeshAtoms, index: number): number {
  return blockAt(held, mesh, index).reduce(
    (product, ranges) => product * ranges.reduce((sum, range) => sum + lengthOf(range), 0),
    1,
  );
}

/** Whether every device holds the same indices of two dims. */
export function sameBlocksAlong(a: HeldDim, b: HeldDim, mesh: MeshAtoms): boolean {
  const count = product(mesh.sizes);
  const at = ({ axes, blocks }: HeldDim, index: number) =>
    JSON.stringify(blocks[positionAlong(mesh, axes, index)]);
  return Array.from({ length: count }, (_, index) => at(a, index) === at(b, index)).every(Boolean);
}

/** Position of a device, given its index in the mesh, along some mesh axes. */
function positionAlong({ names, sizes }: MeshAtoms, axes: readonly string[], index: number) {
  let stride = 1;
  const digits = new Map<string, number>();
  for (const [at, name] of [...names.entries()].reverse()) {
    const size = sizes[at] ?? 1;
    digits.set(name, Math.floor(index / stride) % size);
    stride *= size;
  }
  const sizeOf = new Map(names.map((name, at) => [name, sizes[at] ?? 1]));
  return axes.reduce((place, axis) => place * (sizeOf.get(axis) ?? 1) + (digits.get(axis) ?? 0), 0);
}

/** A dim from the ranges held by each device, along the fewest axes that distinguish the blocks. */
function heldDim(ranges: readonly (readonly Range[])[], mesh: MeshAtoms): HeldDim {
  const keys = ranges.map((each) => JSON.stringify(each));
  let axes = [...mesh.names];
  for (const axis of mesh.names) {
    const fewer = axes.filter((each) => each !== axis);
    const found = new Map<number, string>();
    const isTold = keys.every((key, index) => {
      const place = positionAlong(mesh, fewer, index);
      const known = found.get(place) ?? key;
      found.set(place, known);
      return known === key;
    });
    if (isTold) axes = fewer;
  }
  const blocks: (readonly Range[])[] = [];
  for (const [index, each] of ranges.entries()) blocks[positionAlong(mesh, axes, index)] = each;
  return { axes, blocks };
}

/** Ranges per dim whose product equals the given boxes. */
function rangesByDim(
  boxes: readonly Box[],
  shape: readonly number[],
  name: string,
): readonly (readonly Range[])[] {
  const filled = boxes.filter((box) => box.every((range) => lengthOf(range) > 0));
  const perDim = shape.map((_, dim) => {
    const ranges = new Map(filled.map((box) => [JSON.stringify(box[dim]), box[dim]]));
    return [...ranges.values()]
      .filter((range) => range !== undefined)
      .sort((a, b) => a.start - b.start);
  });
  const isProduct =
    perDim.reduce((product, { length }) => product * length, 1) === filled.length &&
    perDim.every(areApart);
  if (!isProduct && filled.length > 0)
    throw new NotWritten(`a device holds several windows of ${name}, which are no grid`);
  return perDim;
}

function areApart(ranges: readonly Range[]): boolean {
  return ranges.every(({ start }, at) => at === 0 || (ranges[at - 1]?.stop ?? 0) <= start);
}
