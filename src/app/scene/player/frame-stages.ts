import { transfersAround } from "#core/collective";
import { type Box, lengthOf } from "#core/indexspace";
import type { Tensor } from "#core/ir";
import { type DeviceId, type Layout, slicesOf } from "#core/mesh";
import type { CollectiveStep } from "#core/program";

/** A collective step with the inputs of its drawing. */
export interface StepScene {
  readonly step: CollectiveStep;
  readonly tensor: Tensor;
  readonly before: Layout;
  readonly after: Layout;
  readonly groups: readonly (readonly DeviceId[])[];
  /** The shown device group, and its first devices, which are drawn. */
  readonly group: readonly DeviceId[];
  readonly drawn: readonly DeviceId[];
}

/**
 * A whole step, or a part of it such as one half of an all-reduce: boxes held before and after, and
 * the transfers.
 */
export interface Stage {
  readonly kind:
    | "move"
    | "add"
    | "keep"
    | "add-first"
    | "gather-last"
    | "hop"
    | "hop-add"
    | "trade";
  readonly held: ReadonlyMap<DeviceId, readonly Box[]>;
  readonly kept: ReadonlyMap<DeviceId, readonly Box[]>;
  /** Transfers from or to the drawn devices. */
  readonly transfers: readonly {
    readonly from: DeviceId;
    readonly to: DeviceId;
    readonly range: Box;
  }[];
  readonly isPartialAfter: boolean;
  /**
   * For a hop around a ring or a round of pairwise exchange: its index, and the blocks of each
   * device.
   */
  readonly hop?: Hop;
  /** Share of the step's bytes and time; equal shares if absent. */
  readonly share?: number;
}

/**
 * One hop of a ring, in which every device passes one block to the next, or one round of pairwise
 * exchange.
 */
export interface Hop {
  /** Index of the hop, from 0. */
  readonly at: number;
  readonly count: number;
  readonly blocks: ReadonlyMap<
    DeviceId,
    { readonly before: readonly RingBlock[]; readonly after: readonly RingBlock[] }
  >;
}

/**
 * A block on its way around the ring; `owner` is the group index of its source, or of its goal when
 * it is added.
 */
export interface RingBlock {
  readonly box: Box;
  readonly owner: number;
  readonly isPartial: boolean;
}

/** The stages of a step: one, or the two halves of an all-reduce. */
export function stagesOf(scene: StepScene): readonly Stage[] {
  return scene.step.collective === "all-reduce" ? allReduceStages(scene) : [stageOf(scene)];
}

/** The single stage of any step except an all-reduce; its transfers are those of the collective. */
export function stageOf(scene: StepScene): Stage {
  const { step, tensor, before, after, group, drawn } = scene;
  const transfers = transfersAround(
    {
      collective: step.collective,
      moves: step.moves,
      groups: step.groups,
      ...(step.pairs === undefined ? {} : { transfers: step.pairs }),
      before,
      after,
    },
    tensor.shape,
    new Set(drawn),
  );
  const inGroup = new Set(group);
  const kind =
    step.collective === "reduce-scatter" ? "add" : step.collective === "slice" ? "keep" : "move";
  return {
    kind,
    held: boxesOf(before, tensor.shape, group),
    kept: boxesOf(after, tensor.shape, group),
    transfers: transfers.filter(({ to }) => inGroup.has(to)),
    isPartialAfter: after.partials.length > 0,
  };
}

/**
 * An all-reduce in two halves: every device reduces one piece of the block, then all pieces are
 * gathered. The block is split along its longest dim; one too short to split is reduced in full by
 * every device.
 */
function allReduceStages(scene: StepScene): readonly Stage[] {
  const { tensor, before, after, group } = scene;
  const held = boxesOf(before, tensor.shape, group);
  const pieces = new Map(
    group.map((device, at) => [
      device,
      (held.get(device) ?? []).flatMap((box) => pieceOf(box, at, group.length)),
    ]),
  );
  const isPartialAfter = after.partials.length > 0;
  const isWhole = [...pieces.values()].some((boxes) => boxes.length === 0);
  if (isWhole) {
    const all = everyPair(scene, (from) => held.get(from) ?? []);
    return [{ kind: "add", held, kept: held, transfers: all, isPartialAfter }];
  }
  const added = everyPair(scene, (_, to) => pieces.get(to) ?? []);
  const gathered = everyPair(scene, (from) => pieces.get(from) ?? []);
  return [
    { kind: "add-first", held, kept: pieces, transfers: added, isPartialAfter },
    { kind: "gather-last", held: pieces, kept: held, transfers: gathered, isPartialAfter },
  ];
}

/** Transfers between all pairs of devices in a group with at least one drawn device. */
function everyPair(
  { group, drawn }: StepScene,
  boxes: (from: DeviceId, to: DeviceId) => readonly Box[],
): Stage["transfers"] {
  const isDrawn = new Set(drawn);
  return group.flatMap((to) =>
    (isDrawn.has(to) ? group : drawn)
      .filter((from) => from !== to)
      .flatMap((from) => boxes(from, to).map((range) => ({ from, to, range }))),
  );
}

/**
 * One of `count` pieces of a box along its longest dim; empty when that dim is shorter than
 * `count`.
 */
export function pieceOf(box: Box, at: number, count: number): readonly Box[] {
  const lengths = box.map(lengthOf);
  const dim = lengths.indexOf(Math.max(...lengths));
  const range = box[dim];
  if (range === undefined || lengthOf(range) < count) return [];
  const edge = (place: number) => range.start + Math.floor((lengthOf(range) * place) / count);
  return [box.with(dim, { start: edge(at), stop: edge(at + 1) })];
}

/** The non-empty boxes of each device of a group. */
export function boxesOf(
  layout: Layout,
  shape: readonly number[],
  group: readonly DeviceId[],
): ReadonlyMap<DeviceId, readonly Box[]> {
  const boxes = new Map<DeviceId, Box[]>(group.map((device) => [device, []]));
  for (const slice of slicesOf(layout, shape, group)) {
    if (slice.ranges.every((range) => lengthOf(range) > 0)) {
      boxes.get(slice.device)?.push(slice.ranges);
    }
  }
  return boxes;
}
