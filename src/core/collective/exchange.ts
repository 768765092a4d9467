import { type Box, volumeOf } from "#core/indexspace";
import {
  boxesByIndex,
  type DeviceId,
  type DeviceMesh,
  digitOf,
  type Layout,
  localElements,
  type Part,
  partSize,
  printLayout,
} from "#core/mesh";
import { boxesKey, overlaps, volumes } from "./box-lists.ts";
import type { Transfer } from "./collective.ts";
import { matchKeys } from "./match-keys.ts";

/**
 * The boxes that one device holds under a layout, and which contribution (addend) to them it holds.
 */
interface Holding {
  readonly device: DeviceId;
  readonly boxes: readonly Box[];
  readonly contribution: string;
  /** Key: equal for devices that hold the same boxes of the same contribution. */
  readonly key: string;
}

/** Limit on the comparisons (of two blocks or two senders) after which an exchange is given up. */
const mostCompared = 10_000_000;

/** The most messages of one exchange: more could be neither shown nor read. */
const mostTransfers = 400_000;

/**
 * The boxes that each device lacks, each from the holder that has sent least so far. `undefined` if
 * there are too many to list.
 */
export function exchangeTransfers(
  before: Layout,
  after: Layout,
  shape: readonly number[],
): readonly Transfer[] | undefined {
  const [present, wanted] = [holdingsOf(before, shape), holdingsOf(after, shape)];
  const holders = [...alikeBlocks(present).values()];
  if (holders.length * wanted.length > mostCompared) return undefined;
  const own = new Map(present.map((holding) => [holding.device, holding.key]));
  const sent = new Map<DeviceId, number>();
  const transfers: Transfer[] = [];
  let compared = 0;
  for (const want of wanted) {
    for (const alike of holders) {
      const [first] = alike;
      if (first === undefined || first.contribution !== want.contribution) continue;
      if (first.key === own.get(want.device)) continue;
      const ranges = overlaps(first.boxes, want.boxes);
      if (ranges.length === 0) continue;
      compared += alike.length;
      const from = leastSender(alike, sent);
      sent.set(from, (sent.get(from) ?? 0) + volumes(ranges));
      for (const range of ranges) transfers.push({ from, to: want.device, range });
    }
    if (compared > mostCompared || transfers.length > mostTransfers) return undefined;
  }
  return transfers;
}

/** The devices that hold each block, by its key. */
function alikeBlocks(present: readonly Holding[]): ReadonlyMap<string, readonly Holding[]> {
  const blocks = new Map<string, Holding[]>();
  for (const holding of present) {
    const alike = blocks.get(holding.key);
    if (alike === undefined) blocks.set(holding.key, [holding]);
    else alike.push(holding);
  }
  return blocks;
}

/** Whole blocks from one device each, or `undefined` when the blocks are not a permutation. */
export function permuteTransfers(
  before: Layout,
  after: Layout,
  shape: readonly number[],
): readonly Transfer[] | undefined {
  // A permutation keeps the size of the largest block; this test rejects most layouts early.
  if (localElements(before, shape) !== localElements(after, shape)) return undefined;
  const [present, wanted] = [holdingsOf(before, shape), holdingsOf(after, shape)];
  const places = new Map(present.map(({ device }, at) => [device, at]));
  const sources = matchKeys(
    present.map(({ key }) => key),
    wanted.map(({ key, device }) => ({ key, own: places.get(device) ?? -1 })),
  );
  if (sources === undefined) return undefined;
  return wanted.flatMap(({ device, boxes }, at) => {
    const from = present[sources[at] ?? 0]?.device ?? device;
    const filled = boxes.filter((box) => volumeOf(box) > 0);
    return from === device ? [] : filled.map((range) => ({ from, to: device, range }));
  });
}

function holdingsOf(layout: Layout, shape: readonly number[]): readonly Holding[] {
  const boxes = boxesByIndex(layout, shape);
  const parts = layout.partials.map(({ part }) => part).filter((part) => partSize(part) > 1);
  const partials = printLayout({ ...layout, dims: [] });
  return layout.mesh.devices.map((device, index) => {
    const held = boxes[index] ?? [];
    const contribution = parts.length === 0 ? "" : digitsOf(layout.mesh, parts, index, partials);
    return { device, boxes: held, contribution, key: `${boxesKey(held)} | ${contribution}` };
  });
}

/**
 * Distinguishes contributions by their digits; only layouts with the same partials can be equal.
 */
function digitsOf(
  mesh: DeviceMesh,
  parts: readonly Part[],
  index: number,
  partials: string,
): string {
  return `${partials} ${parts.map((part) => digitOf(mesh, part, index))}`;
}

/** The holder that has sent least; with equal counts the first. */
function leastSender(holders: readonly Holding[], sent: ReadonlyMap<DeviceId, number>): DeviceId {
  let [least, device] = [Number.POSITIVE_INFINITY, holders[0]?.device ?? 0];
  for (const holder of holders) {
    const load = sent.get(holder.device) ?? 0;
    if (load < least) [least, device] = [load, holder.device];
  }
  return device;
}
