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
import { misrouted, type StepFault } from "#execute/engine";

/** The values before and after a collective. */
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
  const run = misrouted(whole, sabotage);
  const isHeld = before.held !== undefined || after.held !== undefined;
  const made = isHeld ? replayHeld(run, blocks, boxes) : replayCollective(run, blocks, shape);
  if (sabotage === "scale") return scaled(made, groups);
  return sabotage === "stale"
    ? withStale(made, step, passedThrough(after.layout, blocks, boxes))
    : made;
}

/** The blocks of a mean without its factor: larger by the number of members in a group. */
function scaled(blocks: Blocks, groups: CollectiveStep["groups"]): Blocks {
  const factors = new Map(groups.flatMap((group) => group.map((device) => [device, group.length])));
  return new Map(
    [...blocks].map(([device, own]) => {
      const factor = Math.max(2, factors.get(device) ?? 2);
      return [
        device,
        own.map(({ box, values }) => ({ box, values: values.map((each) => each * factor) })),
      ];
    }),
  );
}

/**
 * Blocks after a collective, where the first receiving device keeps its block from before as a
 * fault.
 */
function withStale(made: Blocks, { groups, pairs }: CollectiveStep, before: Blocks): Blocks {
  const device = pairs?.[0]?.to ?? groups.find(({ length }) => length > 1)?.[0];
  const own = device === undefined ? undefined : before.get(device);
  return device === undefined || own === undefined ? made : new Map([...made, [device, own]]);
}

/**
 * Blocks of devices if nothing is sent: the old memory, read as the new block. Cells beyond this
 * memory are NaN.
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
