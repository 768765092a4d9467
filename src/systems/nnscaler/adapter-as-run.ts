import { groupsOf } from "#core/collective";
import { type DeviceMesh, digitOf, type Layout, type Part, slicesOf } from "#core/mesh";
import type { Run } from "#systems/system";
import type { PlacedHop } from "./adapter-place.ts";
import type { AdapterRoute } from "./adapter-reshard.ts";

/** What a device holds: of every dim the runs in their order in memory, and which shares of the value. */
interface Held {
  readonly dims: readonly (readonly Run[])[];
  readonly shares: readonly number[];
}

/** From where to where a tensor goes. */
interface Way {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
}

/** What a device has after an adapter, and what its reader wants. */
export interface HeldAsRun {
  readonly device: number;
  /** Of every dim the runs, in their order in memory. */
  readonly wanted: Held["dims"];
  /** Absent where pieces do not fit each other on the way. */
  readonly held?: Held["dims"];
  readonly isRight: boolean;
}

/**
 * What an adapter leaves every device with, when it runs: the groups of nnScaler 0.8 list their
 * ranks in ascending order, whatever order its path means, so pieces that lie on devices in another
 * order are put together, or dealt out, in a wrong one (engine-nnscaler §3.1, §3.2).
 */
export function heldAsRun(
  routes: readonly AdapterRoute[],
  { from, to, shape }: Way,
): readonly HeldAsRun[] {
  let held: ReadonlyMap<number, Held> | undefined = heldAtFirst(from, shape);
  for (const { hops, mesh } of routes) {
    for (const hop of hops) held = held && heldAfter(held, hop, mesh);
  }
  const isWhole = ({ shares }: Held) =>
    to.partials.length > 0 || shares.length === shareCount(from);
  return [...heldAtFirst(to, shape)].map(([device, { dims: wanted }]) => {
    const has = held?.get(device);
    const isRight = has !== undefined && isWhole(has) && String(has.dims) === String(wanted);
    return { device, wanted, ...(has && { held: has.dims }), isRight };
  });
}

/**
 * Whether an adapter leaves every device with what its reader wants, when it runs; false also where a
 * later hop would undo what an earlier one has put in wrong places.
 */
export function isRightAsRun(routes: readonly AdapterRoute[], way: Way): boolean {
  return heldAsRun(routes, way).every(({ isRight }) => isRight);
}

function shareCount({ partials }: Layout): number {
  return partials.reduce((n, { part }) => n * (part.kind === "axis" ? part.size : 1), 1);
}

function heldAtFirst(layout: Layout, shape: readonly number[]): ReadonlyMap<number, Held> {
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

/** The number that a position of the mesh has along parts, outermost first. */
function numberAlong(position: number, parts: readonly Part[], mesh: DeviceMesh): number {
  const axisParts = parts.filter((part) => part.kind === "axis");
  return axisParts.reduce((number, part) => number * part.size + digitOf(mesh, part, position), 0);
}

/** What devices hold after one hop; undefined where its pieces do not fit each other any more. */
function heldAfter(
  held: ReadonlyMap<number, Held>,
  { hop, parts }: PlacedHop,
  mesh: DeviceMesh,
): ReadonlyMap<number, Held> | undefined {
  const after = new Map(held);
  for (const group of groupsOf(mesh, parts)) {
    const ranks = [...group].sort((a, b) => a - b);
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

/** What the member at a place of its group has after a hop. */
function receivedBy(
  place: number,
  members: readonly Held[],
  { primitive, down, up }: PlacedHop["hop"],
): Held | undefined {
  const own = members[place];
  if (own === undefined) return undefined;
  switch (primitive) {
    case "chunk":
      return chunkOf(own, up - 2, place, members.length);
    case "all-gather":
      return joined(members, down - 2);
    case "all-to-all": {
      const pieces = members.flatMap((each) => chunkOf(each, up - 2, place, members.length) ?? []);
      return pieces.length < members.length ? undefined : joined(pieces, down - 2);
    }
    case "all-reduce":
      return added(members);
    case "reduce-scatter": {
      const sum = added(members);
      return sum && chunkOf(sum, up - 2, place, members.length);
    }
    case "value-chunk":
      return undefined;
  }
}

/** The sum of shares of one piece. */
function added(members: readonly Held[]): Held | undefined {
  const [first] = members;
  const shares = members.flatMap((each) => each.shares);
  const isSame = members.every(({ dims }) => String(dims) === String(first?.dims));
  if (first === undefined || !isSame || new Set(shares).size < shares.length) return undefined;
  return { dims: first.dims, shares };
}

/** Pieces behind each other along a dim, which are alike in all else. */
function joined(members: readonly Held[], dim: number): Held | undefined {
  const [first] = members;
  const beside = ({ dims, shares }: Held) => String([dims.toSpliced(dim, 1), shares]);
  if (first === undefined || members.some((each) => beside(each) !== beside(first)))
    return undefined;
  const runs = members.flatMap(({ dims }) => dims[dim] ?? []);
  return { dims: first.dims.with(dim, merged(runs)), shares: first.shares };
}

function merged(runs: readonly Run[]): readonly Run[] {
  const done: Run[] = [];
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
  const own = runs.flatMap(([start, stop]): readonly Run[] => {
    const [from, to] = [Math.max(0, -skipped), Math.min(stop - start, length - skipped)];
    skipped += stop - start;
    return from < to ? [[start + from, start + to]] : [];
  });
  return { dims: dims.with(dim, own), shares };
}
