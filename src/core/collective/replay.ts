import type { Box } from "#core/indexspace";
import { boxesByIndex, type DeviceBoxes, type DeviceId } from "#core/mesh";
import { boxesKey, overlaps, volumes } from "./box-lists.ts";
import { joinOf } from "./contributions.ts";
import { copyRegion, joinRegion } from "./copy-region.ts";
import { type Blocks, type LocalBlock, unfilled } from "./local-block.ts";
import { createParcels, type Reduction, reductionOf } from "./parcels.ts";
import type { LayoutStep } from "./step.ts";

/**
 * Blocks of all devices after a step, computed from their blocks before it.
 *
 * Group order matters: each sender packs its i-th message for the device that layout and moves put
 * at position i. Each receiver unpacks the i-th message as expected from the i-th sender. With a
 * wrong order the data lands in wrong places, as on real devices. Cells that nobody sends are NaN.
 * Reductions add in group order, so all members get the same bits. Local reordering is free.
 */
export function replayCollective(
  step: LayoutStep,
  blocks: Blocks,
  shape: readonly number[],
): Blocks {
  const wanted = boxesByIndex(step.after, shape);
  const after = new Map(
    step.after.mesh.devices.map((device, index): [DeviceId, readonly LocalBlock[]] => [
      device,
      (wanted[index] ?? []).map(unfilled),
    ]),
  );
  if (step.transfers !== undefined) return replayTransfers(step, blocks, after);
  if (step.collective === "slice") return replaySlice(blocks, after);
  const reduction = reductionOf(step);
  const post = postOf(step, blocks, shape);
  const areAllAlike = step.collective === "all-reduce";
  for (const group of step.groups) {
    const first = after.get(group[0] ?? -1);
    group.forEach((receiver, place) => {
      const targets = after.get(receiver) ?? [];
      // All members of an all-reduce get the same sum, so the first member's sum is copied.
      const isCopy = areAllAlike && place > 0 && first !== undefined && holdAlike(first, targets);
      if (isCopy) copyAll(first, targets);
      else fill(targets, post(group, receiver, place), reduction);
    });
  }
  return after;
}

function holdAlike(a: readonly LocalBlock[], b: readonly LocalBlock[]): boolean {
  const [one, other] = [a, b].map((blocks) => boxesKey(blocks.map(({ box }) => box)));
  return one === other;
}

interface Received {
  readonly member: number;
  /** The data under the boxes that the receiver expects of this member. */
  readonly pieces: readonly LocalBlock[];
}

/**
 * `replayCollective` for values whose devices hold other boxes than the blocks of their layout, as
 * windows and halos are. Such steps are exchanges, or sums in which all members of a group hold the
 * same boxes; a member whose piece of the summed axis is empty holds nothing, and adds nothing.
 *
 * @param wanted the boxes that each device holds after the step, in the order of its mesh
 */
export function replayHeld(step: LayoutStep, blocks: Blocks, wanted: DeviceBoxes): Blocks {
  const after = new Map(
    step.after.mesh.devices.map((device, index): [DeviceId, readonly LocalBlock[]] => [
      device,
      (wanted[index] ?? []).map(unfilled),
    ]),
  );
  if (step.transfers !== undefined) return replayTransfers(step, blocks, after);
  if (step.collective !== "all-reduce") throw new Error(`no ${step.collective} of windows`);
  const reduction = reductionOf(step);
  for (const group of step.groups) {
    const received = group
      .map((sender, member): Received => ({ member, pieces: blocks.get(sender) ?? [] }))
      .filter(({ pieces }) => pieces.some(({ values }) => values.length > 0));
    for (const receiver of group) fill(after.get(receiver) ?? [], received, reduction);
  }
  return after;
}

/** Copies the cells that two blocks of one tensor share from `source` into `target`. */
export function copyBlock(source: LocalBlock, target: LocalBlock): void {
  copyAll([source], [target]);
}

/** Messages that a receiver at an index of a group gets: packed by the senders, then unpacked. */
function postOf(step: LayoutStep, blocks: Blocks, shape: readonly number[]) {
  const parcelsOf = createParcels(step, shape);
  return (group: readonly DeviceId[], receiver: DeviceId, place: number): readonly Received[] =>
    parcelsOf(group, receiver, place).map(({ member, sender, sent, expected }) => ({
      member,
      pieces: unpack(pack(blocks.get(sender) ?? [], sent), expected),
    }));
}

function pack(held: readonly LocalBlock[], ranges: readonly Box[]): Float64Array {
  const packed = new Float64Array(volumes(ranges));
  let at = 0;
  for (const range of ranges) {
    const piece = unfilled(range);
    copyAll(held, [piece]);
    packed.set(piece.values, at);
    at += piece.values.length;
  }
  return packed;
}

function unpack(packed: Float64Array, ranges: readonly Box[]): readonly LocalBlock[] {
  let at = 0;
  return ranges.map((box) => {
    const piece = unfilled(box);
    piece.values.set(packed.subarray(at, at + piece.values.length));
    at += piece.values.length;
    return piece;
  });
}

function fill(
  targets: readonly LocalBlock[],
  received: readonly Received[],
  reduction: Reduction | undefined,
): void {
  const first = received[0]?.member;
  for (const target of targets) {
    for (const { member, pieces } of received) {
      if (reduction === undefined || member === first) copyAll(pieces, [target]);
      else joinAll(pieces, target, joinOf(reduction.reduce));
    }
    const scale = reduction?.scale ?? 1;
    if (scale !== 1) target.values.set(target.values.map((value) => value * scale));
  }
}

function replaySlice(blocks: Blocks, after: Blocks): Blocks {
  for (const [device, targets] of after) copyAll(blocks.get(device) ?? [], targets);
  return after;
}

function replayTransfers(step: LayoutStep, blocks: Blocks, after: Blocks): Blocks {
  replaySlice(blocks, after);
  for (const { from, to, range } of step.transfers ?? []) {
    for (const source of blocks.get(from) ?? []) {
      for (const target of after.get(to) ?? []) {
        for (const region of overlaps(overlaps([source.box], [range]), [target.box])) {
          copyRegion(source, target, region);
        }
      }
    }
  }
  return after;
}

function copyAll(sources: readonly LocalBlock[], targets: readonly LocalBlock[]): void {
  for (const target of targets) {
    for (const source of sources) {
      for (const region of overlaps([source.box], [target.box])) copyRegion(source, target, region);
    }
  }
}

function joinAll(
  sources: readonly LocalBlock[],
  target: LocalBlock,
  join: (held: number, added: number) => number,
): void {
  for (const source of sources) {
    for (const region of overlaps([source.box], [target.box])) {
      joinRegion(source, target, region, join);
    }
  }
}
