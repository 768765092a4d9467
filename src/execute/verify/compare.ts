import {
  type Blocks,
  createStep,
  type LocalBlock,
  replayCollective,
  replayHeld,
} from "#core/collective";
import type { Box } from "#core/indexspace";
import { type DeviceId, partSize } from "#core/mesh";
import type { Value } from "#core/program";
import type { WholeTensor } from "#execute/reference";

/** The largest difference between the blocks of one device and the wanted tensor. */
export interface DeviceDifference {
  readonly device: DeviceId;
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  /** Number of elements that differ by more than their bounds allow. */
  readonly wrongCount: number;
}

/** A wrong element of a device, or the largest distance of the right ones. */
export interface Difference {
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  readonly devices: readonly DeviceDifference[];
  readonly first?: {
    readonly device: DeviceId;
    readonly index: readonly number[];
    readonly got: number;
    readonly want: number;
  };
}

/**
 * Compares every element that every device holds of a value with the whole tensor; partial
 * contributions are combined first. A float may differ by the error bounds of both computations.
 *
 * @param isWrapped whether numbers are words of 32 bits, sums of them too
 */
export function compareValue(
  value: Lying,
  blocks: Blocks,
  whole: WholeTensor,
  isWrapped = false,
): Difference {
  const { layout } = value;
  const complete = completeBlocks(value, blocks, whole.shape);
  let first: Difference["first"];
  const devices = layout.mesh.devices.map((device): DeviceDifference => {
    const found = (complete.get(device) ?? []).map((block) => {
      const one = compareBlock(block, whole, isWrapped);
      if (one.at !== undefined) first ??= { device, ...elementAt(block, one.at, whole) };
      return one;
    });
    return { device, ...worstOf(found) };
  });
  const { maxAbsDiff, maxRelDiff } = worstOf(devices);
  return { maxAbsDiff, maxRelDiff, devices, ...(first !== undefined && { first }) };
}

/** The result for a value whose cells are all known to be right. */
export function noDifference({ layout }: Pick<Value, "layout">): Difference {
  const none = { maxAbsDiff: 0, maxRelDiff: 0, wrongCount: 0 };
  const devices = layout.mesh.devices.map((device) => ({ device, ...none }));
  return { maxAbsDiff: 0, maxRelDiff: 0, devices };
}

type Distance = Omit<DeviceDifference, "device">;

/** The largest of several distances, and the total number of wrong elements. */
export function worstOf(all: readonly Distance[]): Distance {
  let [maxAbsDiff, maxRelDiff, wrongCount] = [0, 0, 0];
  for (const each of all) {
    maxAbsDiff = Math.max(maxAbsDiff, each.maxAbsDiff);
    maxRelDiff = Math.max(maxRelDiff, each.maxRelDiff);
    wrongCount += each.wrongCount;
  }
  return { maxAbsDiff, maxRelDiff, wrongCount };
}

type Lying = Pick<Value, "layout" | "held">;

/** The blocks of a value with its contributions combined. */
export function completeBlocks(
  { layout, held }: Lying,
  blocks: Blocks,
  shape: readonly number[],
): Blocks {
  const parts = layout.partials.map(({ part }) => part).filter((part) => partSize(part) > 1);
  if (parts.length === 0) return blocks;
  const moves = parts.map((part) => ({ part }));
  const step = createStep(layout, "all-reduce", moves, shape);
  return held === undefined
    ? replayCollective(step, blocks, shape)
    : replayHeld(step, blocks, held);
}

interface Found extends Distance {
  /** Offset of the first element beyond its bound. */
  readonly at: number | undefined;
}

function compareBlock(block: LocalBlock, whole: WholeTensor, isWrapped: boolean): Found {
  let [maxAbsDiff, maxRelDiff, wrongCount] = [0, 0, 0];
  let at: number | undefined;
  visitElements(block.box, whole.shape, (offset, flat) => {
    const held = block.values[offset] ?? Number.NaN;
    const got = isWrapped && Number.isFinite(held) ? held | 0 : held;
    const want = whole.values[flat] ?? Number.NaN;
    if (got === want || (Number.isNaN(got) && Number.isNaN(want))) return;
    const difference = Math.abs(got - want);
    if (!(difference <= 2 * (whole.errors[flat] ?? 0))) {
      at ??= offset;
      wrongCount += 1;
    }
    maxAbsDiff = larger(maxAbsDiff, difference);
    maxRelDiff = larger(maxRelDiff, difference / Math.max(Math.abs(want), Number.MIN_VALUE));
  });
  return { maxAbsDiff, maxRelDiff, wrongCount, at };
}

/** The larger of two distances; NaN counts as infinite. */
function larger(a: number, b: number): number {
  return Number.isNaN(b) ? Number.POSITIVE_INFINITY : Math.max(a, b);
}

/** Visits a block's elements in its order, with their flat indices in the whole tensor. */
export function visitElements(
  box: Box,
  shape: readonly number[],
  visit: (offset: number, flat: number) => void,
): void {
  let offset = 0;
  const go = (dim: number, flat: number): void => {
    const range = box[dim];
    if (range === undefined) {
      visit(offset, flat);
      offset += 1;
      return;
    }
    const start = flat * (shape[dim] ?? 1);
    for (let at = range.start; at < range.stop; at += 1) go(dim + 1, start + at);
  };
  go(0, 0);
}

function elementAt({ box, values }: LocalBlock, offset: number, whole: WholeTensor) {
  const index: number[] = [];
  let rest = offset;
  for (const { start, stop } of [...box].reverse()) {
    index.unshift(start + (rest % (stop - start)));
    rest = Math.floor(rest / (stop - start));
  }
  const flat = index.reduce((sum, at, dim) => sum * (whole.shape[dim] ?? 1) + at, 0);
  return { index, got: values[offset] ?? Number.NaN, want: whole.values[flat] ?? Number.NaN };
}
