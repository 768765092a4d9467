import {
  type DeviceId,
  type DeviceMesh,
  digitOf,
  type Layout,
  type Part,
  partSize,
  partStride,
} from "#core/mesh";
import { applyMoves } from "./apply-moves.ts";
import type { Collective, Move, Transfer } from "./collective.ts";
import { exchangeTransfers, permuteTransfers } from "./exchange.ts";

/**
 * One collective as data: the layouts before and after, and which devices send to which.
 *
 * `groups` list their members in the order of the parts that move, outermost first; a slice has
 * none. `transfers` are listed only where groups and moves do not determine the messages: in an
 * exchange, and in a permute between two arrangements of the devices.
 */
export interface LayoutStep {
  readonly collective: Collective;
  readonly moves: readonly Move[];
  readonly groups: readonly (readonly DeviceId[])[];
  readonly transfers?: readonly Transfer[];
  readonly before: Layout;
  readonly after: Layout;
}

/** Step that applies moves to a layout; its groups and the layout after it are derived. */
export function createStep(
  before: Layout,
  collective: Exclude<Collective, "exchange">,
  moves: readonly Move[],
  shape: readonly number[],
): LayoutStep {
  const groups = collective === "slice" ? [] : groupsOf(before.mesh, movedParts(moves));
  return { collective, moves, groups, before, after: applyMoves(before, collective, moves, shape) };
}

/**
 * Ragged exchange between two layouts that hold the same contributions on the same devices: each
 * device fetches exactly its missing elements, from the holder that has sent least so far.
 * `undefined` if there are too many messages to list.
 */
export function createExchange(
  before: Layout,
  after: Layout,
  shape: readonly number[],
): LayoutStep | undefined {
  const transfers = exchangeTransfers(before, after, shape);
  if (transfers === undefined) return undefined;
  const groups = componentsOf(before.mesh, transfers);
  return { collective: "exchange", moves: [], groups, transfers, before, after };
}

/**
 * The permute between two layouts, also on different arrangements of the devices: each device gets
 * its whole block from one other, or keeps it. `undefined` when no permutation does that.
 */
export function createPermute(
  before: Layout,
  after: Layout,
  shape: readonly number[],
): LayoutStep | undefined {
  const transfers = permuteTransfers(before, after, shape);
  if (transfers === undefined) return undefined;
  const groups = componentsOf(before.mesh, transfers);
  return { collective: "collective-permute", moves: [], groups, transfers, before, after };
}

/** Parts named by the moves, in order; they determine the groups of a step. */
export function movedParts(moves: readonly Move[]): readonly Part[] {
  return moves.map(({ part }) => part);
}

/**
 * Groups of devices that differ only along some parts of the mesh.
 *
 * Members are in row-major order of the parts as given, outermost first; groups are in mesh order
 * of their first members. Without parts every device is a group of its own.
 */
export function groupsOf(
  mesh: DeviceMesh,
  parts: readonly Part[],
): readonly (readonly DeviceId[])[] {
  const offsets = groupOffsets(mesh, parts);
  const isMember = new Uint8Array(mesh.devices.length);
  const groups: (readonly DeviceId[])[] = [];
  for (const first of mesh.devices.keys()) {
    if (isMember[first] === 1) continue;
    for (const offset of offsets) isMember[first + offset] = 1;
    groups.push(offsets.flatMap((offset) => mesh.devices[first + offset] ?? []));
  }
  return groups;
}

/**
 * Offset of each member of a group from the group's first member, in device indices of the mesh.
 */
export function groupOffsets(mesh: DeviceMesh, parts: readonly Part[]): readonly number[] {
  return parts.reduce<readonly number[]>(
    (offsets, part) => {
      const stride = partStride(mesh, part);
      const digits = Array.from({ length: partSize(part) }, (_, digit) => digit * stride);
      return offsets.flatMap((offset) => digits.map((digit) => offset + digit));
    },
    [0],
  );
}

/** The index in the mesh of the first member of a device's group. */
export function groupBase(mesh: DeviceMesh, parts: readonly Part[], index: number): number {
  return parts.reduce(
    (base, part) => base - digitOf(mesh, part, index) * partStride(mesh, part),
    index,
  );
}

/** The sets of devices that transfers connect, each in mesh order; silent devices are left out. */
export function componentsOf(
  mesh: DeviceMesh,
  transfers: readonly Transfer[],
): readonly (readonly DeviceId[])[] {
  const leader = new Map<DeviceId, DeviceId>();
  const find = (device: DeviceId): DeviceId => {
    let top = device;
    for (let up = leader.get(top); up !== undefined && up !== top; up = leader.get(top)) top = up;
    // Path compression: every device on the path now points at the root, so that a long chain is
    // walked once.
    for (let at = device; at !== top; ) {
      const up = leader.get(at) ?? top;
      leader.set(at, top);
      at = up;
    }
    leader.set(top, top);
    return top;
  };
  for (const { from, to } of transfers) leader.set(find(from), find(to));
  const members = new Map<DeviceId, DeviceId[]>();
  for (const device of mesh.devices) {
    if (!leader.has(device)) continue;
    const first = find(device);
    const known = members.get(first);
    if (known === undefined) members.set(first, [device]);
    else known.push(device);
  }
  return [...members.values()];
}
