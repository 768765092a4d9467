import {
  type Blocks,
  type LayoutStep,
  type LocalBlock,
  replayCollective,
  replayHeld,
} from "#core/collective";
import { volumeOf } from "#core/indexspace";
import { boxesByIndex, type DeviceBoxes, type DeviceId, type Layout } from "#core/mesh";
import type { CollectiveStep, Value } from "#core/program";
import { type StepFault, withSwappedMembers } from "#execute/engine";

/** The values between which a collective stands. */
export interface Ends {
  readonly before: Value;
  readonly after: Value;
}

/** Runs a collective of a program between its two values. */
export function runCollective(
  step: CollectiveStep,
  { before, after }: Ends,
  blocks: Blocks,
  shape: readonly number[],
  sabotage?: StepFault["how"],
): Blocks {
  const boxes = after.held ?? boxesByIndex(after.layout, shape);
  if (sabotage === "drop") return passedThrough(after.layout, blocks, boxes);
  const { collective, moves, groups, pairs } = step;
  const whole: LayoutStep = {
    collective,
    moves,
    groups,
    before: before.layout,
    after: after.layout,
    ...(pairs !== undefined && { transfers: pairs }),
  };
  const run = sabotage === "swap" ? withSwappedMembers(whole) : whole;
  const isHeld = before.held !== undefined || after.held !== undefined;
  return isHeld ? replayHeld(run, blocks, boxes) : replayCollective(run, blocks, shape);
}

/**
 * What devices have when nobody sends anything: the same memory, read as the new block. What the
 * memory lacks is NaN.
 */
function passedThrough(after: Layout, blocks: Blocks, boxes: DeviceBoxes): Blocks {
  return new Map(
    after.mesh.devices.map((device, index): [DeviceId, readonly LocalBlock[]] => {
      const memory = (blocks.get(device) ?? []).flatMap(({ values }) => [...values]);
      return [
        device,
        (boxes[index] ?? []).map((box) => {
          const values = new Float64Array(volumeOf(box)).fill(Number.NaN);
          values.set(memory.splice(0, values.length));
          return { box, values };
        }),
      ];
    }),
  );
}
