import type { Box } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import { boxesOf, pieceOf, type RingBlock, type Stage, type StepScene } from "./frame-stages.ts";
import { tradeStagesOf } from "./trade-stages.ts";

/**
 * The sizes of rings that are drawn hop by hop: smaller ones are one hop, larger ones nobody
 * counts.
 */
const [least, most] = [3, 8];

/** Whether a collective is drawn hop by hop, or, an all-to-all, round by round. */
export function isRing({ step, group }: StepScene): boolean {
  const goesRound = /^(all-gather|reduce-scatter|all-reduce|all-to-all)$/.test(step.collective);
  return goesRound && group.length >= least && group.length <= most;
}

/**
 * The hops of a ring, in which every device hands one block to the next (Thakur et al. 2005):
 * n − 1 for a gather or a reduce-scatter, both after each other for an all-reduce, and n − 1 rounds
 * of trading for an all-to-all. Nothing for collectives that do not go round, and for blocks too
 * small to cut into n pieces.
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

/** In hop k device i hands on the block of i − k, which it has got last. */
function gatherHops(ring: Ring, own: Boxes): readonly Stage[] {
  return hopsOf(ring, own, "hop", (at, hop, owner) => {
    const distance = turned(at - owner, ring.group.length);
    return { isHeld: distance <= hop, isPartial: ring.isPartialAfter };
  });
}

/** In hop k device i hands on the piece of i − 1 − k; the last that it gets is its own. */
function addHops(ring: Ring, pieces: Boxes): readonly Stage[] {
  const count = ring.group.length;
  return hopsOf(ring, pieces, "hop-add", (at, hop, owner) => {
    const isSent = turned(at - 1 - owner, count) < hop;
    const isWhole = hop === count - 1 && owner === at;
    return { isHeld: !isSent, isPartial: !isWhole || ring.isPartialAfter };
  });
}

/** The part of an owner's block that a device of the ring has before a hop. */
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

/** Numbers the hops of one collective through. */
function counted(stages: readonly Stage[]): readonly Stage[] {
  return stages.map((stage, at) => ({
    ...stage,
    ...(stage.hop !== undefined && { hop: { ...stage.hop, at, count: stages.length } }),
  }));
}

function turned(place: number, count: number): number {
  return ((place % count) + count) % count;
}
