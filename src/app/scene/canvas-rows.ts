import type { TensorId } from "#core/ir";
import type { Arrangement, Arrival } from "./arrangement.ts";
import type { OpenRun } from "./canvas-folds.ts";
import { type Flow, type FlowEdge, type FlowNode, flowKey } from "./flow.ts";
import type { Size } from "./mark.ts";

/** Sizes of everything on the canvas, in CSS pixels. */
export const canvasSizes = {
  card: { width: 300, height: 56 },
  end: { width: 300, height: 44 },
  /** A stack of equal blocks, with the edges of the cards behind. */
  stack: { width: 300, height: 68 },
  /** The head of an open block. */
  head: 26,
  badge: 24,
  /** A tensor's glyph with its words. */
  tensor: 54,
  margin: 12,
} as const;

const space = {
  gap: 14,
  arrow: 14,
  badge: 8,
  line: 12,
  stack: 10,
  under: 4,
  head: 12,
  frame: 10,
} as const;

/** A thing at a height. */
export interface At<T> {
  readonly item: T;
  readonly y: number;
}

/** A glyph at the left with the badges below it. */
export interface LeftStack {
  readonly tensor: TensorId;
  readonly under: readonly At<number>[];
}

/** Heights of everything, before any x is known. */
export interface CanvasRows {
  readonly top: At<TensorId> | undefined;
  readonly cards: readonly At<number>[];
  /** Heads and frames of open runs, by their place among them. */
  readonly runs: readonly (At<OpenRun> & { readonly bottom: number })[];
  readonly badges: readonly At<number>[];
  readonly ends: readonly At<number>[];
  readonly arrivals: readonly At<Arrival>[];
  readonly left: readonly (At<LeftStack> & { readonly row: number })[];
  readonly right: readonly (At<TensorId> & { readonly row: number })[];
  readonly alone: readonly At<LeftStack>[];
  /** Where a line leaves the middle for the lanes, by the key of what it leaves. */
  readonly forks: ReadonlyMap<string, number>;
  readonly height: number;
}

/** Lines that run through the lanes at the left: neither straight down nor from the side. */
export function laneEdges(flow: Flow, arrangement: Arrangement): readonly FlowEdge[] {
  const drawn = new Set([...arrangement.straight, ...arrangement.side]);
  const through = new Set(
    arrangement.gaps.flatMap(({ arrivals }, row) =>
      arrivals.map(({ badge }) => `badge ${badge} card ${row}`),
    ),
  );
  return flow.edges.filter(
    (edge) => !drawn.has(edge) && !through.has(`${flowKey(edge.from)} ${flowKey(edge.to)}`),
  );
}

/** Stacks gaps and cards from above; rows are as high as what stands beside their cards. */
export function canvasRows(flow: Flow, arrangement: Arrangement): CanvasRows {
  const rows = new RowStacker(flow, arrangement);
  flow.rows.forEach((_, row) => {
    rows.addGap(row);
    rows.addCard(row, flow.outputs[row] ?? []);
    rows.endRun(row);
  });
  rows.addGap(flow.rows.length);
  rows.addAlone();
  return rows.result();
}

/** Lives for one layout: a cursor that goes down the page and notes where things stand. */
class RowStacker {
  private readonly flow: Flow;
  private readonly arrangement: Arrangement;
  private readonly forked: ReadonlySet<string>;
  private y: number = canvasSizes.margin;
  private top: At<TensorId> | undefined;
  private readonly cards: At<number>[] = [];
  private readonly runs: (At<OpenRun> & { readonly bottom: number })[] = [];
  private readonly runAt: ReadonlyMap<number, OpenRun>;
  private readonly runTo: ReadonlyMap<number, OpenRun>;
  private readonly sources: ReadonlyMap<number, readonly TensorId[]>;
  private headY = 0;
  private readonly badges: At<number>[] = [];
  private readonly ends: At<number>[] = [];
  private readonly arrivals: At<Arrival>[] = [];
  private readonly left: (At<LeftStack> & { readonly row: number })[] = [];
  private readonly right: (At<TensorId> & { readonly row: number })[] = [];
  private readonly alone: At<LeftStack>[] = [];
  private readonly forks = new Map<string, number>();

  constructor(flow: Flow, arrangement: Arrangement) {
    this.flow = flow;
    this.arrangement = arrangement;
    const { openRuns } = flow.folding;
    this.runAt = new Map(openRuns.map((run) => [run.firstRow, run]));
    this.runTo = new Map(openRuns.map((run) => [run.lastRow, run]));
    this.sources = sourcesByRow(flow, arrangement.top);
    this.forked = new Set(laneEdges(flow, arrangement).map(({ from }) => flowKey(from)));
    if (arrangement.top === undefined) return;
    this.top = { item: arrangement.top, y: this.y };
    this.y += canvasSizes.end.height;
  }

  /** The space above a card: forks and badges of the middle, then what arrives from the left. */
  addGap(row: number): void {
    const gap = this.arrangement.gaps[row];
    if (gap === undefined) return;
    const start = this.y;
    this.fork(row > 0 ? { kind: "card", row: row - 1 } : this.topNode());
    this.addHead(row);
    for (const item of gap.center) {
      if (item.kind === "output") {
        this.y += space.arrow;
        this.ends.push({ item: item.redistribution, y: this.y });
        this.y += canvasSizes.end.height;
      } else this.addBadge(item.redistribution);
    }
    for (const arrival of gap.arrivals) this.addArrival(arrival);
    const isBusy = this.y > start;
    this.y = Math.max(this.y + (isBusy ? space.arrow : 0), start + space.gap + space.badge);
  }

  /** A card in the middle of its row, with glyphs stacked at both sides. */
  addCard(row: number, outputs: readonly TensorId[]): void {
    const stacks = this.sources.get(row) ?? [];
    const own = cardSizeOf(this.flow, row).height;
    const leftHeight = stackHeight(stacks.map((tensor) => this.stackHeightOf(tensor)));
    const rightHeight = stackHeight(outputs.map(() => canvasSizes.tensor));
    const height = Math.max(own, leftHeight, rightHeight);
    this.cards.push({ item: row, y: this.y + (height - own) / 2 });
    let y = this.y + (height - leftHeight) / 2;
    for (const tensor of stacks) {
      this.left.push({ ...this.stackAt(tensor, y), row });
      y += this.stackHeightOf(tensor) + space.stack;
    }
    y = this.y + (height - rightHeight) / 2;
    for (const tensor of outputs) {
      this.right.push({ item: tensor, y, row });
      y += canvasSizes.tensor + space.stack;
    }
    this.y += height;
  }

  /** The frame of an open run ends below its last card. */
  endRun(row: number): void {
    const run = this.runTo.get(row);
    if (run === undefined) return;
    this.y += space.frame;
    this.runs.push({ item: run, y: this.headY, bottom: this.y });
  }

  /** Tensors that nothing reads, below everything else. */
  addAlone(): void {
    for (const tensor of this.flow.alone) {
      this.alone.push(this.stackAt(tensor.id, this.y));
      this.y += this.stackHeightOf(tensor.id) + space.stack;
    }
  }

  result(): CanvasRows {
    const { top, cards, runs, badges, ends, arrivals, left, right, alone, forks } = this;
    const height = this.y + canvasSizes.margin;
    return { top, cards, runs, badges, ends, arrivals, left, right, alone, forks, height };
  }

  private addHead(row: number): void {
    if (!this.runAt.has(row)) return;
    this.y += space.head;
    this.headY = this.y;
    this.y += canvasSizes.head;
  }

  private topNode(): FlowNode | undefined {
    const { top } = this.arrangement;
    return top === undefined ? undefined : { kind: "source", tensor: top };
  }

  private fork(node: FlowNode | undefined): void {
    if (node === undefined || !this.forked.has(flowKey(node))) return;
    this.y += space.line;
    this.forks.set(flowKey(node), this.y);
  }

  private addBadge(redistribution: number): void {
    this.y += space.badge;
    this.badges.push({ item: redistribution, y: this.y });
    this.y += canvasSizes.badge;
    this.fork({ kind: "badge", redistribution });
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

  private stackAt(tensor: TensorId, y: number): At<LeftStack> {
    const step = canvasSizes.badge + space.under;
    const first = y + canvasSizes.tensor + space.under;
    const under = (this.arrangement.under.get(tensor) ?? []).map((item, at) => ({
      item,
      y: first + at * step,
    }));
    return { item: { tensor, under }, y };
  }

  private stackHeightOf(tensor: TensorId): number {
    const count = this.arrangement.under.get(tensor)?.length ?? 0;
    return canvasSizes.tensor + count * (canvasSizes.badge + space.under);
  }
}

function stackHeight(heights: readonly number[]): number {
  const gaps = Math.max(heights.length - 1, 0) * space.stack;
  return heights.reduce((sum, height) => sum + height, gaps);
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
    const here = byRow.get(row);
    if (here === undefined) byRow.set(row, [tensor.id]);
    else here.push(tensor.id);
  }
  return byRow;
}
