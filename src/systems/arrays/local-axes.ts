import type { BoundCall, Operator } from "#core/ir";
import type { Loop } from "#core/ir/body";
import { cutDim, type Strategy } from "#core/plan";
import type { Dialect, Length } from "./dialect.ts";
import { blockLengths, type HeldDim, heldBlocks, longestBlock } from "./held-blocks.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import { atom, bracketed, type Labelled, plainNumber } from "./python/labelled.ts";

/** The index axes of an operator on a device: whole, or cut into blocks. */
export class LocalAxes {
  private readonly sizes: ReadonlyMap<string, number>;
  private readonly blocks: ReadonlyMap<string, HeldDim>;
  private readonly dialect: Dialect;
  private readonly name: string;

  /** Without a strategy all axes are whole. */
  constructor(
    { name, axes }: Pick<Operator, "name" | "axes">,
    call: BoundCall,
    dialect: Dialect,
    mesh: MeshAtoms,
    strategy?: Pick<Strategy, "cuts" | "sizes">,
  ) {
    this.dialect = dialect;
    this.name = name;
    this.sizes = new Map(call.axes.map((axis) => [axis.name, axis.size]));
    this.blocks = strategy === undefined ? new Map() : axisBlocks(name, axes, mesh, strategy);
  }

  has(axis: string): boolean {
    return this.sizes.has(axis);
  }

  /** Length of an axis or loop in a device's arrays. */
  lengthOf(loop: Loop): Length {
    const block = this.blockOf(loop);
    if (block === undefined) return loop.size ?? this.sizes.get(loop.axis) ?? 1;
    return this.dialect.padsBlocks ? longestBlock(block) : this.ownLength(block);
  }

  /**
   * Number of indices of an axis or loop on a device; less than the array length where blocks are
   * padded.
   */
  countOf(loop: Loop): Length {
    const block = this.blockOf(loop);
    return block === undefined ? this.lengthOf(loop) : this.ownLength(block);
  }

  /** Blocks of an axis; `undefined` when it is whole. */
  blockOf({ axis, size }: Loop): HeldDim | undefined {
    return size === undefined ? this.blocks.get(axis) : undefined;
  }

  /** Start of a device's block of an axis; `undefined` when the axis is whole. */
  startOf(axis: string): Labelled | undefined {
    const block = this.blocks.get(axis);
    return block === undefined ? undefined : blockStart(block, this.dialect, this.name);
  }

  /** Global indices along an axis or loop. */
  indicesOf(loop: Loop): Labelled {
    const block = this.blockOf(loop);
    const pieces = Math.max(1, ...(block?.blocks ?? []).map(({ length }) => length));
    if (block !== undefined && pieces > 1) return this.indicesOfPieces(loop.axis, block);
    const indices = atom(this.dialect.indices(this.lengthOf(loop)), [loop.axis]);
    const start = loop.size === undefined ? this.startOf(loop.axis) : undefined;
    if (start === undefined) return indices;
    return { code: `${start.code} + ${indices.code}`, axes: [loop.axis], binds: 2 };
  }

  private indicesOfPieces(axis: string, { axes, blocks }: HeldDim): Labelled {
    const lengths = new Set(blocks.flat().map(({ start, stop }) => stop - start));
    const [length = 0] = lengths;
    if (lengths.size > 1)
      throw new NotWritten(
        `${this.name} counts along ${axis}, of which devices hold unequal pieces`,
      );
    const starts = blocks.map((ranges) => ranges.map(({ start }) => start));
    const { picked, coordinate, joinedIndices } = this.dialect;
    const position = axes.length === 0 ? "0" : coordinate(axes);
    return atom(joinedIndices(picked(starts, position), length), [axis]);
  }

  /** Mask of the positions of a padded axis that are not padding; `undefined` without padding. */
  ownPlaces(loop: Loop): Labelled | undefined {
    const block = this.blockOf(loop);
    if (block === undefined || !this.dialect.padsBlocks) return undefined;
    const own = ownPlaces(block, this.dialect);
    return own && { ...own, axes: [loop.axis] };
  }

  private ownLength(block: HeldDim): Length {
    const { code, binds } = positioned(blockLengths(block), block.axes, this.dialect);
    return /^\d+$/.test(code) ? Number(code) : bracketed({ code, binds, axes: [] }, 3);
  }
}

/**
 * Start of a device's block of a dim.
 *
 * @throws NotWritten when a device has several pieces of the dim
 */
export function blockStart(
  { axes, blocks }: HeldDim,
  dialect: Dialect,
  name: string,
): Labelled | undefined {
  if (blocks.some(({ length }) => length > 1))
    throw new NotWritten(
      `${name} reads single elements of a dim of which a device has several pieces`,
    );
  const starts = blocks.map(([range]) => range?.start);
  const start = positioned(starts, axes, dialect);
  return start.code === "0" ? undefined : start;
}

/**
 * Mask of the positions of a padded dim that are not padding; `undefined` when all blocks are full.
 */
export function ownPlaces(block: HeldDim, dialect: Dialect): Labelled | undefined {
  const lengths = blockLengths(block);
  const longest = longestBlock(block);
  if (lengths.every((length) => length === longest)) return undefined;
  const own = positioned(lengths, block.axes, dialect);
  return {
    code: `${dialect.indices(longest)} < ${bracketed(own, 1)}`,
    ...{ axes: [], binds: 1, isBool: true },
  };
}

function axisBlocks(
  name: string,
  axes: Operator["axes"],
  mesh: MeshAtoms,
  strategy: Pick<Strategy, "cuts" | "sizes">,
): ReadonlyMap<string, HeldDim> {
  const cut = axes.filter((axis) => Object.hasOwn(strategy.cuts, axis.name));
  const dims = cut.map((axis) => cutDim(strategy, axis.name));
  const layout = { mesh: mesh.mesh, dims, partials: [] };
  const held = heldBlocks(
    { layout },
    cut.map(({ size }) => size),
    mesh,
    name,
  );
  return new Map(
    cut.flatMap((axis, at) => {
      const block = held.dims[at];
      const isWhole =
        block === undefined || (block.axes.length === 0 && block.blocks[0]?.length === 1);
      return isWhole ? [] : [[axis.name, block] as const];
    }),
  );
}

/**
 * Code of a number that depends on the position along mesh axes, in its shortest form: a number, a
 * multiple of the position, else a list.
 *
 * @param values `undefined` where any number would do
 */
export function positioned(
  values: readonly (number | undefined)[],
  axes: readonly string[],
  dialect: Pick<Dialect, "coordinate" | "picked">,
): Labelled {
  const known = values.filter((value) => value !== undefined);
  const [first = 0] = known;
  if (known.every((value) => value === first)) return plainNumber(first);
  const step = (known[1] ?? 0) - first;
  const isMultiple = values.every((value, at) => value === undefined || value === at * step);
  if (isMultiple) {
    const code = dialect.coordinate(axes);
    return step === 1
      ? { ...atom(code), isNumber: true }
      : { code: `${code} * ${step}`, axes: [], binds: 3, isNumber: true };
  }
  const list = values.map((value) => value ?? 0);
  return { ...atom(dialect.picked(list, dialect.coordinate(axes))), isNumber: true };
}
