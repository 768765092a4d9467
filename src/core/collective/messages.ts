import { type Box, volumeOf } from "#core/indexspace";
import { boxesByIndex, type DeviceId } from "#core/mesh";
import { boxesKey, overlaps } from "./box-lists.ts";
import type { Transfer } from "./collective.ts";
import { matchKeys } from "./match-keys.ts";
import { groupBase, groupOffsets, type LayoutStep, movedParts } from "./step.ts";

/**
 * Which boxes each device gets from which other in a step, by device in mesh order, then in group
 * order. Reductions list what each member contributes to the receiver's block (a ring sends less
 * of an all-reduce: see `elementsOf`).
 */
export function transfersOf(step: LayoutStep, shape: readonly number[]): readonly Transfer[] {
  if (step.transfers !== undefined) return step.transfers;
  if (step.collective === "slice") return [];
  return sentIn(step, messagesOf(step, shape));
}

/**
 * The transfers of `transfersOf` that some of the given devices send or receive, without listing
 * the others: a group of n devices has n² transfers.
 */
export function transfersAround(
  step: LayoutStep,
  shape: readonly number[],
  devices: ReadonlySet<DeviceId>,
): readonly Transfer[] {
  if (step.transfers !== undefined) {
    return step.transfers.filter(({ from, to }) => devices.has(from) || devices.has(to));
  }
  if (step.collective === "slice") return [];
  return sentIn(step, messagesOf(step, shape, devices));
}

function sentIn(step: LayoutStep, messages: readonly (readonly Message[])[]): readonly Transfer[] {
  const { mesh } = step.before;
  return messages.flatMap((received, index) =>
    received.flatMap(({ peer, ranges }) => {
      const [from, to] = [mesh.devices[peer], mesh.devices[index]];
      if (from === undefined || to === undefined || from === to) return [];
      return ranges.map((range) => ({ from, to, range }));
    }),
  );
}

/** Elements per device that transfers bring (`to`) or take (`from`). */
export function totals(
  transfers: readonly Transfer[],
  end: "from" | "to",
): ReadonlyMap<DeviceId, number> {
  const sums = new Map<DeviceId, number>();
  for (const transfer of transfers) {
    const device = transfer[end];
    sums.set(device, (sums.get(device) ?? 0) + volumeOf(transfer.range));
  }
  return sums;
}

/**
 * The boxes that a device takes from one member of its group; the member by its index in the mesh.
 */
export interface Message {
  /** Index of the sender in the group. */
  readonly member: number;
  readonly peer: number;
  readonly ranges: readonly Box[];
}

/**
 * Messages of a step: for each device, the boxes it expects from each group member, itself
 * included. They follow from layouts and moves alone. In a permute only one member sends: the
 * holder of the device's new block.
 *
 * @param around devices to which the answer is limited: messages to or from one of them
 */
export function messagesOf(
  step: LayoutStep,
  shape: readonly number[],
  around?: ReadonlySet<DeviceId>,
): readonly (readonly Message[])[] {
  const { before, after } = step;
  const { devices } = before.mesh;
  const isAround = devices.map((device) => around?.has(device) ?? true);
  const givers = [...isAround.keys()].filter((index) => isAround[index]);
  const parts = movedParts(step.moves);
  const offsets = groupOffsets(before.mesh, parts);
  const [held, wanted] = [boxesByIndex(before, shape), boxesByIndex(after, shape)];
  const sources =
    step.collective === "collective-permute" ? permuteSources(step, held, wanted) : undefined;
  const places = new Map(offsets.map((offset, member) => [offset, member]));
  const membersOf = (index: number, base: number): readonly number[] => {
    const source = sources?.[index];
    if (source !== undefined)
      return isAround[index] || isAround[source] ? [places.get(source - base) ?? 0] : [];
    if (isAround[index]) return [...offsets.keys()];
    return givers.flatMap((giver) => places.get(giver - base) ?? []);
  };
  return devices.map((_, index) => {
    const base = groupBase(before.mesh, parts, index);
    return membersOf(index, base).flatMap((member) => {
      const peer = base + (offsets[member] ?? 0);
      const ranges = overlaps(held[peer] ?? [], wanted[index] ?? []);
      return ranges.length === 0 ? [] : [{ member, peer, ranges }];
    });
  });
}

/** Group member whose block each device receives, by index in the mesh. */
function permuteSources(
  step: LayoutStep,
  held: readonly (readonly Box[])[],
  wanted: readonly (readonly Box[])[],
): readonly number[] {
  const { mesh } = step.before;
  const parts = movedParts(step.moves);
  const offsets = groupOffsets(mesh, parts);
  const sources = mesh.devices.map((_, index) => index);
  for (const base of sources.filter((index) => groupBase(mesh, parts, index) === index)) {
    const members = offsets.map((offset) => base + offset);
    const present = members.map((member) => boxesKey(held[member] ?? []));
    const needs = members.map((member, own) => ({ key: boxesKey(wanted[member] ?? []), own }));
    const matched = matchKeys(present, needs);
    if (matched === undefined) throw new Error("the moves of a permute are no permutation");
    members.forEach((member, own) => {
      sources[member] = members[matched[own] ?? own] ?? member;
    });
  }
  return sources;
}
