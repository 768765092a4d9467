import type { Box } from "#core/indexspace";
import { boxesKey } from "./box-lists.ts";

/** Box with the devices that hold it, as a min-heap by elements sent so far. */
interface HeldBox {
  readonly box: Box;
  readonly heap: Entry[];
}

/** Holder of a box, by index in the mesh, with its number of sent elements when it was queued. */
interface Entry {
  readonly holder: number;
  readonly sent: number;
}

/**
 * Holders of boxes, with the elements that each has sent so far. A query for some cells inspects
 * only the boxes around them, not all devices.
 */
export class BoxHolders {
  private readonly sent: number[];
  /** Distinct boxes, ordered by their starts along one dim. */
  private readonly boxes: readonly HeldBox[];
  private readonly dim: number;
  private readonly longest: number;

  constructor(held: readonly (readonly Box[])[]) {
    this.sent = held.map(() => 0);
    const boxes = eachOnce(held);
    this.dim = tellingDim(boxes.map(({ box }) => box));
    this.boxes = boxes.sort((a, b) => this.startOf(a.box) - this.startOf(b.box));
    this.longest = boxes.reduce((most, { box }) => Math.max(most, this.lengthOf(box)), 0);
  }

  /**
   * Boxes that overlap the given cells, by start, each with the holder that has sent least (ties:
   * the first).
   */
  *around(cells: readonly Box[]): Generator<{ readonly holder: () => number; readonly box: Box }> {
    const ranges = cells.flatMap((cell) => cell[this.dim] ?? []);
    const start = Math.min(...ranges.map((range) => range.start));
    const stop = Math.max(...ranges.map((range) => range.stop));
    for (let at = this.firstFrom(start - this.longest + 1); ; at++) {
      const held = this.boxes[at];
      if (held === undefined || (ranges.length > 0 && this.startOf(held.box) >= stop)) return;
      yield { box: held.box, holder: () => this.topOf(held.heap).holder };
    }
  }

  /** Counts what a holder sends. */
  send(holder: number, elements: number): void {
    this.sent[holder] = (this.sent[holder] ?? 0) + elements;
  }

  /** Index of the first box that starts at `start` or later. */
  private firstFrom(start: number): number {
    let [low, high] = [0, this.boxes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const held = this.boxes[middle];
      if (held !== undefined && this.startOf(held.box) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The top entry with its present count. Counts only grow, so entries with an old count sink. */
  private topOf(heap: Entry[]): Entry {
    for (;;) {
      const [top] = heap;
      if (top === undefined) throw new Error("a box that no device holds");
      const sent = this.sent[top.holder] ?? 0;
      if (sent === top.sent) return top;
      heap[0] = { holder: top.holder, sent };
      sink(heap);
    }
  }

  private startOf(box: Box): number {
    return box[this.dim]?.start ?? 0;
  }

  private lengthOf(box: Box): number {
    const { start = 0, stop = 0 } = box[this.dim] ?? {};
    return stop - start;
  }
}

/** Distinct boxes, each with its holders in mesh order and nothing sent yet. */
function eachOnce(held: readonly (readonly Box[])[]): HeldBox[] {
  const known = new Map<string, HeldBox>();
  for (const [holder, boxes] of held.entries()) {
    for (const box of boxes) {
      const key = boxesKey([box]);
      const entry = { holder, sent: 0 };
      const same = known.get(key);
      if (same === undefined) known.set(key, { box, heap: [entry] });
      else if (same.heap.at(-1)?.holder !== holder) same.heap.push(entry);
    }
  }
  return [...known.values()];
}

/** Dim along which the boxes have the most distinct starts. */
function tellingDim(boxes: readonly Box[]): number {
  const dims = [...(boxes[0] ?? []).keys()];
  const places = dims.map((dim) => new Set(boxes.map((box) => box[dim]?.start)).size);
  return Math.max(0, places.indexOf(Math.max(...places)));
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.sent < b.sent || (a.sent === b.sent && a.holder < b.holder);
}

/** Moves the top of a heap down to its place. */
function sink(heap: Entry[]): void {
  const [moved] = heap;
  if (moved === undefined) return;
  let at = 0;
  for (;;) {
    const below = [2 * at + 1, 2 * at + 2].filter((child) => child < heap.length);
    const least = below.reduce<number | undefined>((best, child) => {
      const [one, other] = [heap[child], best === undefined ? undefined : heap[best]];
      return one !== undefined && (other === undefined || isBefore(one, other)) ? child : best;
    }, undefined);
    const next = least === undefined ? undefined : heap[least];
    if (least === undefined || next === undefined || !isBefore(next, moved)) break;
    heap[at] = next;
    at = least;
  }
  heap[at] = moved;
}
