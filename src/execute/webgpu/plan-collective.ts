import { product } from "#core/arithmetic";
import {
  createParcels,
  type LayoutStep,
  type Parcel,
  type Reduction,
  reductionOf,
} from "#core/collective";
import { type Box, boxesWithout, sameBox, volumeOf } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import { append } from "#core/records";
import { cellsOf, joinedAlike, runsAcross } from "./joined-cells.ts";
import type { HeldBlock, Holding, ProgramBuilder } from "./program-builder.ts";
import { move, moveByKernels, transfersBetween } from "./regions.ts";
import type { Join, Transfer } from "./transfer-kernel.ts";

/**
 * Plans a collective from the step itself: its moves, groups in their order, transfers. If it
 * brings a device less than its block after the step, the rest stays unfilled.
 */
export function planCollective(
  builder: ProgramBuilder,
  step: LayoutStep,
  shape: readonly number[],
  [before, after]: readonly [Holding, Holding],
  isHeld: boolean,
): void {
  const planned = new Collective(builder, step, before, after);
  if (step.transfers !== undefined) planned.transfers();
  else if (step.collective === "slice") planned.slice();
  else if (isHeld) planned.heldParts();
  else planned.parcels(shape);
}

/** Blocks of devices if nothing is sent: the old memory, read as the new block. */
export function planNothing(
  builder: ProgramBuilder,
  [before, after]: readonly [Holding, Holding],
): void {
  builder.markUnfilled(after.buffer);
  const runs = [...after.blocks].flatMap(([device, blocks]) => {
    const [source, target] = [before.blocks.get(device)?.[0]?.base, blocks[0]?.base];
    if (source === undefined || target === undefined) return [];
    const words = Math.min(volumes(before.blocks.get(device) ?? []), volumes(blocks));
    return [{ from: source, to: target, words }];
  });
  builder.copy("left out", before.buffer, after.buffer, runs);
}

/** Total words of some regions. */
function wordsIn(transfers: readonly Transfer[]): number {
  return transfers.reduce((sum, { lengths }) => sum + product(lengths), 0);
}

function volumes(blocks: readonly HeldBlock[]): number {
  return blocks.reduce((sum, { box }) => sum + volumeOf(box), 0);
}

class Collective {
  private readonly builder: ProgramBuilder;
  private readonly step: LayoutStep;
  private readonly before: Holding;
  private readonly after: Holding;
  private readonly label: string;

  constructor(builder: ProgramBuilder, step: LayoutStep, before: Holding, after: Holding) {
    this.builder = builder;
    this.step = step;
    this.before = before;
    this.after = after;
    this.label = step.collective;
  }

  slice(): void {
    const own = this.ownParts();
    this.fillUnless((device) => this.blocksBefore(device).map(({ box }) => box));
    this.move(own);
  }

  /** Every device copies the cells that it keeps, then boxes are transferred. */
  transfers(): void {
    const { transfers = [] } = this.step;
    const received = new Map<DeviceId, Box[]>();
    const delivered = transfers.map(({ from, to, range }) => {
      const moved = transfersBetween(this.blocksBefore(from), this.blocksAfter(to), range);
      if (wordsIn(moved) === volumeOf(range)) append(received, to, range);
      return moved;
    });
    this.fillUnless((device) => [
      ...this.blocksBefore(device).map(({ box }) => box),
      ...(received.get(device) ?? []),
    ]);
    this.move(this.ownParts());
    this.move(delivered.flat());
  }

  /** Plans a sum of parts whose boxes are equal on all members of a group, as for windows. */
  heldParts(): void {
    const { groups, collective } = this.step;
    if (collective !== "all-reduce") throw new Error(`no ${collective} of windows`);
    const receivers = groups.flatMap((group) =>
      group.map((receiver) => ({
        receiver,
        parts: group.map((sender) =>
          transfersBetween(this.blocksBefore(sender), this.blocksAfter(receiver)),
        ),
      })),
    );
    this.fillUnless((device) => {
      const group = groups.find((members) => members.includes(device)) ?? [];
      return group.flatMap((sender) => this.blocksBefore(sender).map(({ box }) => box));
    });
    this.join(receivers.map(({ parts }) => parts));
  }

  parcels(shape: readonly number[]): void {
    const parcelsOf = createParcels(this.step, shape);
    const received = this.step.groups.flatMap((group) =>
      group.map((receiver, place) => ({ receiver, parcels: parcelsOf(group, receiver, place) })),
    );
    const parts = received.map(({ receiver, parcels }) =>
      parcels.map((parcel) => this.delivered(parcel, receiver)),
    );
    // A sender that lacks its block leaves a gap in the receiver's block.
    const expected = new Map(
      received.map(({ receiver, parcels }, at) => [
        receiver,
        parcels.flatMap(({ expected: boxes }, place) => {
          const words = boxes.reduce((sum, box) => sum + volumeOf(box), 0);
          return wordsIn(parts[at]?.[place] ?? []) === words ? boxes : [];
        }),
      ]),
    );
    this.fillUnless((device) => expected.get(device) ?? []);
    const isReduction = reductionOf(this.step) !== undefined;
    if (isReduction) this.join(parts);
    else this.move(parts.flat(2));
  }

  /** A parcel as regions of both devices; through a wire buffer if they are not the same boxes. */
  private delivered({ sender, sent, expected }: Parcel, receiver: DeviceId): readonly Transfer[] {
    const [sources, targets] = [this.blocksBefore(sender), this.blocksAfter(receiver)];
    const isAsSent =
      sent.length === expected.length && sent.every((box, at) => sameBox(box, expected[at] ?? []));
    if (isAsSent) return expected.flatMap((box) => transfersBetween(sources, targets, box));
    return runsAcross(
      sent.flatMap((box) => cellsOf(sources, box)),
      expected.flatMap((box) => cellsOf(targets, box)),
    );
  }

  private move(transfers: readonly Transfer[]): void {
    move(this.builder, this.label, [this.before.buffer, this.after.buffer], transfers);
  }

  /** Joins the parts that every receiver gets, in the order of the group. */
  private join(received: readonly (readonly (readonly Transfer[])[])[]): void {
    const reduction = reductionOf(this.step);
    if (reduction === undefined) throw new Error(`${this.step.collective} joins nothing`);
    const [alike, unlike] = [[] as Transfer[], [] as (readonly (readonly Transfer[])[])[]];
    for (const parts of received) {
      const transfers = joinedAlike(parts);
      if (transfers === undefined) unlike.push(parts);
      else alike.push(...transfers);
    }
    const { before, after, builder, label } = this;
    const join = joinOf(reduction);
    if (alike.length > 0) {
      moveByKernels(builder, label, [before.buffer, after.buffer], alike, join);
    }
    for (const parts of unlike) this.joinOverWire(parts, join);
  }

  /** Joins parts with different memory layouts: first lays them out alike, one after the other. */
  private joinOverWire(parts: readonly (readonly Transfer[])[], join: Join): void {
    const { builder, label, before, after } = this;
    const ends = parts.flat().map(({ to, lengths, toStrides }) => ({
      first: to[0] ?? 0,
      last: lengths.reduce((word, n, dim) => word + (n - 1) * (toStrides[dim] ?? 0), to[0] ?? 0),
    }));
    const first = Math.min(...ends.map((end) => end.first));
    const words = Math.max(...ends.map((end) => end.last)) - first + 1;
    const wire = builder.scratch(`${label} wire`, words * parts.length);
    builder.markUnfilled(wire);
    const laid = parts.flatMap((part, at) =>
      part.map((each) => ({ ...each, to: each.to.map((word) => word - first + at * words) })),
    );
    move(builder, label, [before.buffer, wire], laid);
    const whole: Transfer = {
      from: parts.map((_, at) => at * words),
      to: [first],
      lengths: [words],
      fromStrides: [1],
      toStrides: [1],
    };
    moveByKernels(builder, label, [wire, after.buffer], [whole], join);
  }

  private ownParts(): readonly Transfer[] {
    return [...this.after.blocks].flatMap(([device, targets]) =>
      transfersBetween(this.blocksBefore(device), targets),
    );
  }

  /** Marks the result as unfilled unless every device gets all of its blocks. */
  private fillUnless(getsOf: (device: DeviceId) => readonly Box[]): void {
    const isFull = [...this.after.blocks].every(([device, blocks]) => {
      const boxes = blocks.map(({ box }) => box).filter((box) => volumeOf(box) > 0);
      return boxes.length === 0 || boxesWithout(boxes, getsOf(device)).length === 0;
    });
    if (!isFull) this.builder.markUnfilled(this.after.buffer);
  }

  private blocksBefore(device: DeviceId): readonly HeldBlock[] {
    return this.before.blocks.get(device) ?? [];
  }

  private blocksAfter(device: DeviceId): readonly HeldBlock[] {
    return this.after.blocks.get(device) ?? [];
  }
}

function joinOf({ reduce, scale }: Reduction): Join {
  return { combine: reduce === "avg" ? "sum" : reduce, scale };
}
