import type { Box } from "#core/indexspace";
import {
  type DeviceId,
  type Partial,
  partSize,
  type ReduceKind,
  refineLayout,
  samePart,
} from "#core/mesh";
import { scaleOf } from "./contributions.ts";
import { messagesOf } from "./messages.ts";
import { groupBase, groupOffsets, type LayoutStep, movedParts } from "./step.ts";

/**
 * The message of one member of a group to a receiver: packed box by box, and unpacked as other
 * boxes.
 */
export interface Parcel {
  /** Index of the sender in the group. */
  readonly member: number;
  readonly sender: DeviceId;
  readonly sent: readonly Box[];
  /**
   * The boxes as which the receiver unpacks the parcel; with groups out of order not those that
   * were sent.
   */
  readonly expected: readonly Box[];
}

/**
 * Parcels that a receiver gets at its position in a group, for steps without a `transfers` list.
 *
 * Group order matters: each sender packs its i-th parcel for the device that layout and moves put
 * at position i. Each receiver unpacks the i-th parcel as the one expected from the i-th sender.
 */
export function createParcels(
  step: LayoutStep,
  shape: readonly number[],
): (group: readonly DeviceId[], receiver: DeviceId, place: number) => readonly Parcel[] {
  const { mesh } = step.before;
  const parts = movedParts(step.moves);
  const offsets = groupOffsets(mesh, parts);
  const messages = messagesOf(step, shape);
  const indices = new Map(mesh.devices.map((device, index) => [device, index]));
  const sentTo = messages.map(
    (received) => new Map(received.map(({ peer, ranges }) => [peer, ranges])),
  );
  return (group, receiver, place) =>
    (messages[indices.get(receiver) ?? -1] ?? []).map(({ member, ranges }) => {
      const sender = group[member] ?? -1;
      const index = indices.get(sender) ?? -1;
      const meant = groupBase(mesh, parts, index) + (offsets[place] ?? 0);
      return { member, sender, sent: sentTo[meant]?.get(index) ?? [], expected: ranges };
    });
}

/** Reduction of a step, and the factor applied to its result (1/n for a mean). */
export interface Reduction {
  readonly reduce: ReduceKind;
  readonly scale: number;
}

/** Reduction of a step; `undefined` if it only moves values. */
export function reductionOf(step: LayoutStep): Reduction | undefined {
  if (step.collective !== "reduce-scatter" && step.collective !== "all-reduce") return undefined;
  const parts = movedParts(step.moves);
  const known = refineLayout({ ...step.before, dims: [] }, parts)?.partials ?? [];
  const partials = known.filter(({ part }) => parts.some((moved) => samePart(moved, part)));
  const scale = partials.reduce((product, one) => product * scaleOfPartial(one), 1);
  return { reduce: partials[0]?.reduce ?? "sum", scale };
}

function scaleOfPartial({ part, reduce }: Partial): number {
  return scaleOf(reduce, partSize(part));
}
