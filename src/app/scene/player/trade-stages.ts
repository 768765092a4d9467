import { type Box, intersect, volumeOf } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import { type RingBlock, type Stage, type StepScene, stageOf } from "./frame-stages.ts";

/**
 * The n − 1 rounds of an all-to-all by pairwise exchange (Thakur et al. 2005): in round r each
 * device sends the part for the device r places further, and receives one from r places before it.
 * `undefined` if a device holds parts that it neither keeps nor sends.
 */
export function tradeStagesOf(scene: StepScene): readonly Stage[] | undefined {
  const { group } = scene;
  const whole = stageOf(scene);
  const parts = new Map(group.map((device) => [device, keptAndSent(whole, device)]));
  if ([...parts].some(([device, own]) => !isTiled(whole, device, own))) return undefined;
  const places = new Map(group.map((device, at) => [device, at]));
  const ringIndex = (device: DeviceId) => places.get(device) ?? 0;
  const roundOf = ({ from, to }: Stage["transfers"][number]) =>
    (ringIndex(to) - ringIndex(from) + group.length) % group.length;
  const blocksAt = (device: DeviceId, round: number): readonly RingBlock[] => {
    const has = (box: Box, owner: DeviceId): RingBlock => ({
      box,
      owner: ringIndex(owner),
      isPartial: whole.isPartialAfter,
    });
    const { kept = [], sent = [] } = parts.get(device) ?? {};
    const left = sent.filter((each) => roundOf(each) >= round);
    const got = whole.transfers.filter((each) => each.to === device && roundOf(each) < round);
    return [
      ...kept.map((box) => has(box, device)),
      ...left.map(({ range }) => has(range, device)),
      ...got.map(({ from, range }) => has(range, from)),
    ];
  };
  const busiest = busiestOf(whole);
  return Array.from({ length: group.length - 1 }, (_, at): Stage => {
    const round = at + 1;
    const blocks = new Map(
      group.map((device) => [
        device,
        { before: blocksAt(device, round), after: blocksAt(device, round + 1) },
      ]),
    );
    const only = (side: "before" | "after") =>
      new Map([...blocks].map(([device, own]) => [device, own[side].map(({ box }) => box)]));
    const transfers = whole.transfers.filter((each) => roundOf(each) === round);
    const share = receivedBy(transfers, busiest) / receivedBy(whole.transfers, busiest);
    return {
      kind: "trade",
      held: only("before"),
      kept: only("after"),
      transfers,
      isPartialAfter: whole.isPartialAfter,
      hop: { at, count: group.length - 1, blocks },
      ...(Number.isFinite(share) && { share }),
    };
  });
}

/** The part of its blocks that a device keeps, and the transfers that it sends. */
function keptAndSent({ held, kept, transfers }: Stage, device: DeviceId) {
  const own = (held.get(device) ?? []).flatMap((box) =>
    (kept.get(device) ?? []).flatMap((other) => {
      const common = intersect(box, other);
      return common === undefined ? [] : [common];
    }),
  );
  return { kept: own, sent: transfers.filter(({ from }) => from === device) };
}

function isTiled(
  { held }: Stage,
  device: DeviceId,
  { kept, sent }: ReturnType<typeof keptAndSent>,
): boolean {
  const parts = [...kept, ...sent.map(({ range }) => range)];
  return volumeOfAll(parts) === volumeOfAll(held.get(device) ?? []);
}

/** The device that receives most elements. */
function busiestOf({ transfers }: Stage): DeviceId | undefined {
  const receivers = [...new Set(transfers.map(({ to }) => to))];
  return receivers.toSorted((a, b) => receivedBy(transfers, b) - receivedBy(transfers, a))[0];
}

function receivedBy(transfers: Stage["transfers"], device: DeviceId | undefined): number {
  return volumeOfAll(transfers.flatMap(({ to, range }) => (to === device ? [range] : [])));
}

function volumeOfAll(boxes: readonly Box[]): number {
  return boxes.reduce((sum, box) => sum + volumeOf(box), 0);
}
