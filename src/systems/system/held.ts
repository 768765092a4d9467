import {
  type DeviceId,
  type DeviceMesh,
  digitOf,
  type Layout,
  type Part,
  slicesOf,
} from "#core/mesh";
import type { IndexRun } from "./wrong.ts";

/**
 * The part of a tensor on a device: runs of indices per dim in memory order, and its terms of a
 * partial sum.
 */
export interface Held {
  readonly dims: readonly (readonly IndexRun[])[];
  /**
   * Positions along the partial axes whose terms it holds; a single one when the sum is complete.
   */
  readonly shares: readonly number[];
}

/** The held part of each device. */
export type HeldBy = ReadonlyMap<DeviceId, Held>;

/** One collective of a redistribution, on equal blocks. */
export interface GroupHop {
  readonly primitive: "chunk" | "all-gather" | "all-to-all" | "all-reduce" | "reduce-scatter";
  /** The dim along which pieces are concatenated. */
  readonly down: number;
  /** The dim along which blocks are cut. */
  readonly up: number;
}

/** Held parts of a tensor in a layout. */
export function heldAtFirst(layout: Layout, shape: readonly number[]): HeldBy {
  const { mesh, partials } = layout;
  const parts = partials.map(({ part }) => part);
  const shares = new Map(
    mesh.devices.map((device, position) => [device, numberAlong(position, parts, mesh)]),
  );
  return new Map(
    slicesOf(layout, shape).map(({ device, ranges }) => [
      device,
      { dims: ranges.map(({ start, stop }) => [[start, stop]]), shares: [shares.get(device) ?? 0] },
    ]),
  );
}

/** Position of a device along parts of the mesh, outermost first. */
function numberAlong(position: number, parts: readonly Part[], mesh: DeviceMesh): number {
  const axisParts = parts.filter((part) => part.kind === "axis");
  return axisParts.reduce((number, part) => number * part.size + digitOf(mesh, part, position), 0);
}

/**
 * Held parts after one hop. Within a group, pieces are concatenated and dealt out in the order of
 * its members. `undefined` when the pieces no longer fit each other.
 */
export function heldAfter(
  held: HeldBy,
  hop: GroupHop,
  groups: readonly (readonly DeviceId[])[],
): HeldBy | undefined {
  const after = new Map(held);
  for (const ranks of groups) {
    const members = ranks.flatMap((rank) => held.get(rank) ?? []);
    const made = ranks.map((_, place) => receivedBy(place, members, hop));
    for (const [place, rank] of ranks.entries()) {
      const own = made[place];
      if (own === undefined) return undefined;
      after.set(rank, own);
    }
  }
  return after;
}

/** Held part of one member of a group after a hop. */
function receivedBy(
  place: number,
  members: readonly Held[],
  { primitive, down, up }: GroupHop,
): Held | undefined {
  const own = members[place];
  if (own === undefined) return undefined;
  switch (primitive) {
    case "chunk":
      return chunkOf(own, up, place, members.length);
    case "all-gather":
      return joined(members, down);
    case "all-to-all": {
      const pieces = members.flatMap((each) => chunkOf(each, up, place, members.length) ?? []);
      return pieces.length < members.length ? undefined : joined(pieces, down);
    }
    case "all-reduce":
      return added(members);
    case "reduce-scatter": {
      const sum = added(members);
      return sum && chunkOf(sum, up, place, members.length);
    }
  }
}

/** Adds up terms of one piece; `undefined` when pieces differ or a term occurs twice. */
function added(members: readonly Held[]): Held | undefined {
  const [first] = members;
  const shares = members.flatMap((each) => each.shares);
  const isSame = members.every(({ dims }) => String(dims) === String(first?.dims));
  if (first === undefined || !isSame || new Set(shares).size < shares.length) return undefined;
  return { dims: first.dims, shares };
}

/** Concatenates pieces along one dim, if they agree in all others. */
function joined(members: readonly Held[], dim: number): Held | undefined {
  const [first] = members;
  const beside = ({ dims, shares }: Held) => String([dims.toSpliced(dim, 1), shares]);
  if (first === undefined || members.some((each) => beside(each) !== beside(first)))
    return undefined;
  const runs = members.flatMap(({ dims }) => dims[dim] ?? []);
  return { dims: first.dims.with(dim, merged(runs)), shares: first.shares };
}

function merged(runs: readonly IndexRun[]): readonly IndexRun[] {
  const done: IndexRun[] = [];
  for (const [start, stop] of runs) {
    const last = done.at(-1);
    if (last?.[1] === start) done[done.length - 1] = [last[0], stop];
    else done.push([start, stop]);
  }
  return done;
}

function chunkOf({ dims, shares }: Held, dim: number, at: number, count: number): Held | undefined {
  const runs = dims[dim] ?? [];
  const length = runs.reduce((sum, [start, stop]) => sum + stop - start, 0) / count;
  if (!Number.isInteger(length)) return undefined;
  let skipped = -at * length;
  const own = runs.flatMap(([start, stop]): readonly IndexRun[] => {
    const [from, to] = [Math.max(0, -skipped), Math.min(stop - start, length - skipped)];
    skipped += stop - start;
    return from < to ? [[start + from, start + to]] : [];
  });
  return { dims: dims.with(dim, own), shares };
}
