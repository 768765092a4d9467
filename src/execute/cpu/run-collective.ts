import {
  type Blocks,
  type LocalBlock,
  type CollectiveStep as ReplayedStep,
  replayCollective,
} from "#core/collective";
import { volumeOf } from "#core/indexspace";
import { boxesByIndex, type DeviceId, type Layout } from "#core/mesh";
import type { CollectiveStep } from "#core/program";

/** A fault that is put in on purpose: a collective left out, or its groups in another order. */
export interface Sabotage {
  /** Number of the step in the program, from 0. */
  readonly step: number;
  readonly how: "drop" | "swap";
}

/** Runs a collective of a program between the layouts of its two values. */
export function runCollective(
  step: CollectiveStep,
  before: Layout,
  after: Layout,
  blocks: Blocks,
  shape: readonly number[],
  sabotage?: Sabotage["how"],
): Blocks {
  if (sabotage === "drop") return passedThrough(after, blocks, shape);
  const { collective, moves, groups, pairs } = step;
  const whole: ReplayedStep = {
    collective,
    moves,
    groups,
    before,
    after,
    ...(pairs !== undefined && { transfers: pairs }),
  };
  return replayCollective(sabotage === "swap" ? swapped(whole) : whole, blocks, shape);
}

/**
 * What devices have when nobody sends anything: the same memory, read as the new block. What the
 * memory lacks is NaN.
 */
function passedThrough(after: Layout, blocks: Blocks, shape: readonly number[]): Blocks {
  const boxes = boxesByIndex(after, shape);
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
