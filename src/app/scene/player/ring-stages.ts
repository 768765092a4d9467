import type { Box } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import { boxesOf, pieceOf, type RingBlock, type Stage, type StepScene } from "./frame-stages.ts";
import { tradeStagesOf } from "./trade-stages.ts";

/**
 * Sizes of rings drawn hop by hop: smaller rings have a single hop, larger ones too many to follow.
 */
const [least, most] = [3, 8];

/** Whether a collective can be drawn hop by hop or, for an all-to-all, round by round. */
export function isRing({ step, group }: StepScene): boolean {
  const goesRound = /^(all-gather|reduce-scatter|all-reduce|all-to-all)$/.test(step.collective);
  return goesRound && group.length >= least && group.length <= most;
}

/**
 * The hops of a ring, in which every device passes one block to the next (Thakur et al. 2005): n −
 * 1 for a gather or a reduce-scatter, both in sequence for an all-reduce, and n − 1 rounds of
 * pairwise exchange for an all-to-all. `undefined` for other collectives, and for blocks too small
 * to split into n pieces.
 */
export function ringStagesOf(scene: StepScene): readonly Stage[] | undefined {
  if (!isRing(scene)) return undefined;
  const { step, tensor, before, after, group } = scene;
  if (step.collective === "all-to-all") return tradeStagesOf(scene);
  const isPartialAfter = after.partials.length > 0;
  const held = boxesOf(before, tensor.shape, group);
  const kept = boxesOf(after, tensor.shape, group);
  const ring = { group, isPartialAfter };
  if (step.collective === "all-gather") return counted(gatherHops(ring, held));
  if (step.collective === "reduce-scatter") return counted(addHops(ring, kept));
  const pieces = new Map(
    group.map((device, at) => [
      device,
      (held.get(device) ?? []).flatMap((box) => pieceOf(box, at, group.length)),
    ]),
  );
  if ([...pieces.values()].some((boxes) => boxes.length === 0)) return undefined;
  return counted([...addHops(ring, pieces), ...gatherHops(ring, pieces)]);
}

interface Ring {
  readonly group: readonly DeviceId[];
  readonly isPartialAfter: boolean;
}

type Boxes = ReadonlyMap<DeviceId, readonly Box[]>;

/** In hop k device i passes on the block of i − k, the last one it received. */
function gatherHops(ring: Ring, own: Boxes): readonly Stage[] {
  return hopsOf(ring, own, "hop", (at, hop, owner) => {
    const distance = turned(at - owner, ring.group.length);
    return { isHeld: distance <= hop, isPartial: ring.isPartialAfter };
  });
}

/** In hop k device i passes on the piece of i − 1 − k; the last piece it receives is its own. */
function addHops(ring: Ring, pieces: Boxes): readonly Stage[] {
  const count = ring.group.length;
  return hopsOf(ring, pieces, "hop-add", (at, hop, owner) => {
    const isSent = turned(at - 1 - owner, count) < hop;
    const isWhole = hop === count - 1 && owner === at;
    return { isHeld: !isSent, isPartial: !isWhole || ring.isPartialAfter };
  });
}

/**
 * Whether the device at group index `at` holds `owner`'s block before a hop, and whether it is
 * partial.
 */
type Having = (
  at: number,
  hop: number,
  owner: number,
) => { readonly isHeld: boolean; readonly isPartial: boolean };

function hopsOf(
  { group, isPartialAfter }: Ring,
  boxes: Boxes,
  kind: "hop" | "hop-add",
  having: Having,
): readonly Stage[] {
  const count = group.length;
  const boxesOfOwner = (owner: number) => {
    const device = group[owner];
    return device === undefined ? [] : (boxes.get(device) ?? []);
  };
  const held = (at: number, hop: number): readonly RingBlock[] =>
    group.flatMap((_, owner) => {
      const { isHeld, isPartial } = having(at, hop, owner);
      return isHeld ? boxesOfOwner(owner).map((box) => ({ box, owner, isPartial })) : [];
    });
  const sentBy = (at: number, hop: number) =>
    turned(kind === "hop" ? at - hop : at - 1 - hop, count);
  return Array.from({ length: count - 1 }, (_, hop): Stage => {
    const blocks = new Map(
      group.map((device, at) => [device, { before: held(at, hop), after: held(at, hop + 1) }]),
    );
    const only = (side: "before" | "after"): Boxes =>
      new Map([...blocks].map(([device, own]) => [device, own[side].map(({ box }) => box)]));
    return {
      kind,
      held: only("before"),
      kept: only("after"),
      transfers: group.flatMap((from, at) => {
        const to = group[turned(at + 1, count)];
        if (to === undefined) return [];
        return boxesOfOwner(sentBy(at, hop)).map((range) => ({ from, to, range }));
      }),
      isPartialAfter,
      hop: { at: hop, count: count - 1, blocks },
    };
  });
}

/** Numbers the hops of a collective consecutively. */
function counted(stages: readonly Stage[]): readonly Stage[] {
  return stages.map((stage, at) => ({
    ...stage,
    ...(stage.hop !== undefined && { hop: { ...stage.hop, at, count: stages.length } }),
  }));
}

function turned(place: number, count: number): number {
  return ((place % count) + count) % count;
}
