import type { Box } from "#core/indexspace";
import {
  boxesByIndex,
  type DeviceId,
  type Partial,
  partSize,
  type ReduceKind,
  refineLayout,
  samePart,
} from "#core/mesh";
import { overlaps, volumes } from "./box-lists.ts";
import { joinOf, scaleOf } from "./contributions.ts";
import { copyRegion, joinRegion } from "./copy-region.ts";
import { type Blocks, type LocalBlock, unfilled } from "./local-block.ts";
import { type Message, messagesOf } from "./messages.ts";
import { type CollectiveStep, movedParts } from "./step.ts";

/**
 * What the devices hold after a step, from what they hold before it.
 *
 * Every device takes its messages from the members of its group *in the step's group order*, and
 * unpacks the i-th as what layout and moves say that the i-th member holds: with a wrong order the
 * data lands in wrong places, as on real devices. What nobody sends is NaN. Reductions join in
 * group order, so all members get the same bits. Local reordering is free and happens here.
 */
export function replayCollective(
  step: CollectiveStep,
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
  const held = boxesByIndex(step.before, shape);
  const messages = messagesOf(step, shape);
  const indices = new Map(step.before.mesh.devices.map((device, index) => [device, index]));
  for (const group of step.groups) {
    for (const device of group) {
      const received = unpack(messages[indices.get(device) ?? -1] ?? [], group, blocks, held);
      fill(after.get(device) ?? [], received, reductionOf(step));
    }
  }
  return after;
}

/**
 * Whether every device can get all of its block after a step by that step. Even dims always can; a
 * flat uneven dim that is cut further, or gathered in part, cannot without an exchange.
 */
export function isComplete(step: CollectiveStep, shape: readonly number[]): boolean {
  const wanted = boxesByIndex(step.after, shape);
  if (step.transfers !== undefined) return true;
  const held = boxesByIndex(step.before, shape);
  const isReduction = reductionOf(step) !== undefined;
  const members = movedParts(step.moves).reduce((product, part) => product * partSize(part), 1);
  const messages = step.collective === "slice" ? [] : messagesOf(step, shape);
  return wanted.every((boxes, index) => {
    const needed = volumes(boxes);
    if (step.collective === "slice") return volumes(overlaps(held[index] ?? [], boxes)) === needed;
    const received = (messages[index] ?? []).map(({ ranges }) => volumes(ranges));
    if (isReduction && needed > 0) {
      return received.length === members && received.every((volume) => volume === needed);
    }
    return received.reduce((sum, volume) => sum + volume, 0) === needed;
  });
}

interface Received {
  readonly source: LocalBlock;
  readonly member: number;
}

/** The members' own data, under the boxes that their places in the group promise. */
function unpack(
  messages: readonly Message[],
  group: readonly DeviceId[],
  blocks: Blocks,
  held: readonly (readonly Box[])[],
): readonly Received[] {
  return messages.flatMap(({ member, peer }) => {
    const sender = group[member];
    const data = sender === undefined ? [] : (blocks.get(sender) ?? []);
    return (held[peer] ?? []).flatMap((box, piece) => {
      const values = data[piece]?.values;
      return values === undefined ? [] : [{ source: { box, values }, member }];
    });
  });
}

interface Reduction {
  readonly reduce: ReduceKind;
  readonly scale: number;
}

function fill(
  targets: readonly LocalBlock[],
  received: readonly Received[],
  reduction: Reduction | undefined,
): void {
  const first = received[0]?.member;
  for (const target of targets) {
    for (const { source, member } of received) {
      for (const region of overlaps([source.box], [target.box])) {
        if (reduction === undefined || member === first) copyRegion(source, target, region);
        else joinRegion(source, target, region, joinOf(reduction.reduce));
      }
    }
    const scale = reduction?.scale ?? 1;
    if (scale !== 1) target.values.set(target.values.map((value) => value * scale));
  }
}

/** The kind in which a step combines, or `undefined` when it only moves. */
function reductionOf(step: CollectiveStep): Reduction | undefined {
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

function replaySlice(blocks: Blocks, after: Blocks): Blocks {
  for (const [device, targets] of after) copyAll(blocks.get(device) ?? [], targets);
  return after;
}

function replayTransfers(step: CollectiveStep, blocks: Blocks, after: Blocks): Blocks {
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
