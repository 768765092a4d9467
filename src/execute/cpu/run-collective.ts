import {
  type Blocks,
  type DeviceBoxes,
  type LocalBlock,
  type CollectiveStep as ReplayedStep,
  replayCollective,
  replayHeld,
} from "#core/collective";
import { volumeOf } from "#core/indexspace";
import { boxesByIndex, type DeviceId, type Layout } from "#core/mesh";
import type { CollectiveStep, Value } from "#core/program";

/** A fault that is put in on purpose: a collective left out, or its groups in another order. */
export interface Sabotage {
  /** Number of the step in the program, from 0. */
  readonly step: number;
  readonly how: "drop" | "swap";
}

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
  sabotage?: Sabotage["how"],
): Blocks {
  const boxes = after.held ?? boxesByIndex(after.layout, shape);
  if (sabotage === "drop") return passedThrough(after.layout, blocks, boxes);
  const { collective, moves, groups, pairs } = step;
  const whole: ReplayedStep = {
    collective,
    moves,
    groups,
    before: before.layout,
    after: after.layout,
    ...(pairs !== undefined && { transfers: pairs }),
  };
  const run = sabotage === "swap" ? swapped(whole) : whole;
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

/** Every group, or every pair of transfers, with its first two members exchanged. */
function swapped(step: ReplayedStep): ReplayedStep {
  if (step.transfers === undefined) {
    const groups = step.groups.map(([a, b, ...rest]) =>
      a === undefined || b === undefined ? [] : [b, a, ...rest],
    );
    return { ...step, groups };
  }
  const [first, ...rest] = step.transfers;
  const other = rest.find(({ from }) => from !== first?.from);
  if (first === undefined || other === undefined) return { ...step, transfers: [] };
  const exchange: ReadonlyMap<DeviceId, DeviceId> = new Map([
    [first.from, other.from],
    [other.from, first.from],
  ]);
  return {
    ...step,
    transfers: step.transfers.map((each) => ({
      ...each,
      from: exchange.get(each.from) ?? each.from,
    })),
  };
}
