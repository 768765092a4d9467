import type { TensorId } from "#core/ir";
import { append } from "#core/records";
import type { Size } from "../mark.ts";
import type { Arrangement } from "./arrangement.ts";
import type { OpenRun } from "./canvas-folds.ts";
import type { CanvasRows, InColumn, OfRow } from "./canvas-rows.ts";
import { canvasSizes, space } from "./canvas-sizes.ts";
import { type Flow, type FlowNode, flowKey } from "./flow.ts";
import { tailsOf } from "./gap-tails.ts";
import { laneEdges } from "./lane-routes.ts";
import { type At, type LeftStack, leftStacks, stackHeight } from "./left-stacks.ts";
import type { Arrival, Chain, EntryBadge, RankGap } from "./rank-gap.ts";
import { sharedRows } from "./shared-rows.ts";

/** What else stands beside the ranks: above all of them, and how high it is at each. */
export interface RowsBeside {
  readonly head: number;
  readonly heightAt: (rank: number) => number;
}

const nothingBeside: RowsBeside = { head: 0, heightAt: () => 0 };

/** Stacks gaps and ranks from above; ranks are as high as what stands beside their cards. */
export function canvasRows(
  flow: Flow,
  arrangement: Arrangement,
  beside: RowsBeside = nothingBeside,
): CanvasRows {
  const rows = new RowStacker(flow, arrangement, beside.head);
  const { ranks } = arrangement.ranking;
  ranks.forEach((cards, rank) => {
    rows.addGap(rank);
    const least = beside.heightAt(rank);
    if (arrangement.abreast.has(rank)) rows.addAbreast(cards, least);
    else for (const row of cards) rows.addCard(row, least);
    rows.endRank(rank, cards);
  });
  rows.addGap(ranks.length);
  rows.addAlone();
  return rows.result();
}

/**
 * Lives for one layout: a cursor that goes down the page and notes where things stand. All of it
 * reads and moves that cursor, so it is one class and one file.
 */
class RowStacker {
  private readonly flow: Flow;
  private readonly arrangement: Arrangement;
  private readonly forked: ReadonlySet<string>;
  private readonly stacks: ReturnType<typeof leftStacks>;
  private y: number = canvasSizes.margin;
  private top: At<TensorId> | undefined;
  private readonly cards: (At<number> & Size)[] = [];
  private readonly runs: (At<OpenRun> & { readonly bottom: number })[] = [];
  private readonly runAt: ReadonlyMap<number, OpenRun>;
  private readonly runTo: ReadonlyMap<number, OpenRun>;
  private readonly sources: ReadonlyMap<number, readonly TensorId[]>;
  private headY = 0;
  private readonly badges: (At<number> & InColumn)[] = [];
  private readonly ends: (At<number> & InColumn)[] = [];
  private readonly arrivals: At<Arrival>[] = [];
  private readonly entryBadges: At<EntryBadge>[] = [];
  private readonly left: (At<LeftStack> & OfRow)[] = [];
  private readonly right: (At<TensorId> & OfRow)[] = [];
  private readonly above: (At<LeftStack> & OfRow)[] = [];
  private readonly below: (At<TensorId> & OfRow)[] = [];
  private readonly alone: At<LeftStack>[] = [];
  private readonly forks = new Map<string, number>();
  private readonly bands = new Map<number, { readonly y: number; readonly height: number }>();
  private rankY = 0;

  constructor(flow: Flow, arrangement: Arrangement, head: number) {
    this.y += head;
    this.flow = flow;
    this.arrangement = arrangement;
    this.stacks = leftStacks(arrangement.under);
    const { openRuns } = flow.folding;
    this.runAt = new Map(openRuns.map((run) => [run.firstRow, run]));
    this.runTo = new Map(openRuns.map((run) => [run.lastRow, run]));
    this.sources = sourcesByRow(flow, arrangement.top);
    this.forked = new Set(laneEdges(flow, arrangement).map(({ from }) => flowKey(from)));
    if (arrangement.top === undefined) return;
    this.top = { item: arrangement.top, y: this.y };
    this.y += canvasSizes.end.height;
  }

  /** The space above a rank: forks and badges of the cards above, then what arrives. */
  addGap(rank: number): void {
    const gap = this.arrangement.gaps[rank];
    if (gap === undefined) return;
    const start = this.y;
    const { chains } = gap;
    const levels = chains.reduce((most, { items }) => Math.max(most, items.length), 0);
    if (levels === 0) this.forkTails(gap);
    else for (const chain of chains) if (chain.items.length > 0) this.fork(chain.from);
    this.addHead(rank);
    for (let level = 0; level < levels; level += 1) {
      this.addLevel(chains, level);
      for (const { items } of chains) {
        const item = items[level];
        if (item?.kind === "badge" && level < items.length - 1) {
          this.fork({ kind: "badge", redistribution: item.redistribution });
        }
      }
    }
    if (levels > 0) this.forkTails(gap);
    this.addArrivals(gap);
    this.addEntryBadges(gap);
    const isBusy = this.y > start;
    this.y = Math.max(this.y + (isBusy ? space.arrow : 0), start + space.gap + space.badge);
  }

  /** A card in the middle of its row, with glyphs stacked at both sides. */
  addCard(row: number, least: number): void {
    this.rankY = this.y;
    const outputs = this.flow.outputs[row] ?? [];
    const stacks = this.sources.get(row) ?? [];
    const size = cardSizeOf(this.flow, row);
    const own = size.height;
    const leftHeight = stackHeight(stacks.map((tensor) => this.stacks.heightOf(tensor)));
    const rightHeight = stackHeight(outputs.map(() => canvasSizes.tensor));
    const height = Math.max(own, leftHeight, rightHeight, least);
    this.cards.push({ item: row, y: this.y + (height - own) / 2, ...size });
    let y = this.y + (height - leftHeight) / 2;
    for (const tensor of stacks) {
      this.left.push({ ...this.stacks.stackAt(tensor, y), row });
      y += this.stacks.heightOf(tensor) + space.stack;
    }
    y = this.y + (height - rightHeight) / 2;
    for (const tensor of outputs) {
      this.right.push({ item: tensor, y, row });
      y += canvasSizes.tensor + space.stack;
    }
    this.y += height;
  }

  /** Cards side by side, with what they read above them and what they make below. */
  addAbreast(rows: readonly number[], least: number): void {
    this.forkAbove(rows);
    this.rankY = this.y;
    const heightOf = (row: number) =>
      stackHeight((this.sources.get(row) ?? []).map((tensor) => this.stacks.heightOf(tensor)));
    const room = rows.reduce((most, row) => Math.max(most, heightOf(row)), 0);
    const cardY = this.y + (room === 0 ? 0 : room + space.beside);
    const size = { width: canvasSizes.abreast, height: canvasSizes.card.height };
    const under = cardY + size.height + space.beside;
    let bottom = cardY + size.height;
    for (const row of rows) {
      this.cards.push({ item: row, y: cardY, ...size });
      let y = this.y + room - heightOf(row);
      for (const tensor of this.sources.get(row) ?? []) {
        this.above.push({ ...this.stacks.stackAt(tensor, y), row });
        y += this.stacks.heightOf(tensor) + space.stack;
      }
      y = under;
      for (const tensor of this.flow.outputs[row] ?? []) {
        this.below.push({ item: tensor, y, row });
        bottom = Math.max(bottom, y + canvasSizes.tensor);
        y += canvasSizes.tensor + space.stack;
      }
    }
    this.y = Math.max(bottom, this.rankY + least);
  }

  /** Glyphs above cards that are read elsewhere too: their lines leave for the lanes above them. */
  private forkAbove(rows: readonly number[]): void {
    const start = this.y;
    for (const tensor of rows.flatMap((row) => this.sources.get(row) ?? [])) {
      this.fork({ kind: "source", tensor });
      for (const redistribution of this.arrangement.under.get(tensor) ?? []) {
        this.fork({ kind: "badge", redistribution });
      }
    }
    if (this.y > start) this.y += space.line;
  }

  /** The frame of an open run ends below its last card. */
  endRank(rank: number, rows: readonly number[]): void {
    this.bands.set(rank, { y: this.rankY, height: this.y - this.rankY });
    const run = rows.map((row) => this.runTo.get(row)).find((each) => each !== undefined);
    if (run === undefined) return;
    this.y += space.frame;
    this.runs.push({ item: run, y: this.headY, bottom: this.y });
  }

  /** Tensors that nothing reads, below everything else. */
  addAlone(): void {
    for (const tensor of this.flow.alone) {
      this.alone.push(this.stacks.stackAt(tensor.id, this.y));
      this.y += this.stacks.heightOf(tensor.id) + space.stack;
    }
  }

  result(): CanvasRows {
    const { top, cards, runs, bands } = this;
    const { badges, ends, arrivals, entryBadges, forks } = this;
    const { left, right, above, below, alone } = this;
    const lines = { badges, ends, arrivals, entryBadges, forks };
    const glyphs = { left, right, above, below, alone };
    const height = this.y + canvasSizes.margin;
    return { top, cards, runs, bands, ...lines, ...glyphs, height };
  }

  private addHead(rank: number): void {
    const rows = this.arrangement.ranking.ranks[rank] ?? [];
    if (!rows.some((row) => this.runAt.has(row))) return;
    this.y += space.head;
    this.headY = this.y;
    this.y += canvasSizes.head;
  }

  /** Things of several chains that stand level. */
  private addLevel(chains: readonly Chain[], level: number): void {
    const here = chains.flatMap(({ items, column }) => {
      const item = items[level];
      return item === undefined ? [] : [{ item, column }];
    });
    const isNarrow = chains.length > 1;
    const from = this.y;
    for (const { item, column } of here) {
      const room = item.kind === "output" ? space.arrow : space.badge;
      const height = item.kind === "output" ? canvasSizes.end.height : canvasSizes.badge;
      const place = { item: item.redistribution, y: from + room, column, isNarrow };
      if (item.kind === "output") this.ends.push(place);
      else this.badges.push(place);
      this.y = Math.max(this.y, from + room + height);
    }
  }

  /** Where the lines turn aside that leave the ends of the chains, as few heights as they can share. */
  private forkTails(gap: RankGap): void {
    const tails = tailsOf(gap, this.arrangement, this.forked);
    const heights = sharedRows(tails);
    const first = this.y;
    tails.forEach(({ key }, at) => {
      const y = first + space.line * ((heights[at] ?? 0) + 1);
      this.forks.set(key, y);
      this.y = Math.max(this.y, y);
    });
  }

  private addEntryBadges({ entryBadges }: RankGap): void {
    if (entryBadges.length === 0) return;
    this.y += space.badge;
    for (const entryBadge of entryBadges) this.entryBadges.push({ item: entryBadge, y: this.y });
    this.y += canvasSizes.badge;
  }

  private addArrivals({ arrivals }: RankGap): void {
    const shared = new Map<string, number>();
    for (const arrival of arrivals) {
      const key = flowKey(arrival.edge.from);
      const y = arrival.badge === undefined ? shared.get(key) : undefined;
      if (y === undefined) this.addArrival(arrival);
      else this.arrivals.push({ item: arrival, y });
      if (arrival.badge === undefined) shared.set(key, y ?? this.y);
    }
  }

  private fork(node: FlowNode): void {
    if (!this.forked.has(flowKey(node))) return;
    this.y += space.line;
    this.forks.set(flowKey(node), this.y);
  }

  private addArrival(arrival: Arrival): void {
    if (arrival.badge === undefined) {
      this.y += space.line;
      this.arrivals.push({ item: arrival, y: this.y });
      return;
    }
    this.y += space.badge;
    this.arrivals.push({ item: arrival, y: this.y + canvasSizes.badge / 2 });
    this.y += canvasSizes.badge;
    this.fork({ kind: "badge", redistribution: arrival.badge });
  }
}

/** The size of the card in a row. */
function cardSizeOf({ rows }: Flow, row: number): Size {
  return rows[row]?.kind === "stack" ? canvasSizes.stack : canvasSizes.card;
}

function sourcesByRow(
  { sources }: Flow,
  top: TensorId | undefined,
): ReadonlyMap<number, readonly TensorId[]> {
  const byRow = new Map<number, TensorId[]>();
  for (const { tensor, row } of sources) {
    if (tensor.id === top) continue;
    append(byRow, row, tensor.id);
  }
  return byRow;
}
