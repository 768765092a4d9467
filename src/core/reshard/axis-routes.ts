import type { Collective } from "#core/collective";
import { type AxisMove, fusionsFrom, movesFrom } from "./axis-moves.ts";
import type { PriceMove, RouteAxis } from "./axis-price.ts";
import { type AxisState, stateKey } from "./axis-state.ts";

/** What routes between the layouts of one tensor depend on. */
export interface RouteOptions {
  readonly axes: readonly RouteAxis[];
  readonly shape: readonly number[];
  readonly bytesPerElement: number;
  readonly price: PriceMove;
  /** Whether pieces may be unequal: the ceiling, as long as no dim is shorter than its pieces. */
  readonly uneven?: boolean;
  /** Whether gathers and reductions over several axes may run as one step. */
  readonly fuses?: boolean;
  /** Whether unequal pieces count as their mean; as the largest of them when unsaid. */
  readonly meanPieces?: boolean;
}

/** A step of a route with its price. */
export interface RouteStep {
  readonly move: AxisMove;
  readonly seconds: number;
  /** Bytes that a device holds before the step, and after it. */
  readonly before: number;
  readonly after: number;
}

interface Edge {
  readonly to: number;
  readonly step: RouteStep;
}

interface Reached {
  /** Least seconds from the source, by state. */
  readonly seconds: readonly number[];
  readonly last: readonly ({ readonly from: number; readonly step: RouteStep } | undefined)[];
}

/** Layouts of one tensor beyond which nothing is searched. */
const stateLimit = 20_000;

/**
 * Cheapest sequences of single-axis steps between the layouts of one tensor (planner-plain.md §5),
 * by Dijkstra's algorithm over all layouts that divide. Of equal prices the fewest steps win, then
 * the step that is listed first. A state is known by a number from `id`.
 */
export class AxisRoutes {
  readonly options: RouteOptions;
  private readonly states: AxisState[] = [];
  private readonly ids = new Map<string, number>();
  private readonly bytes: number[] = [];
  private readonly edges: (readonly Edge[] | undefined)[] = [];
  private readonly reached: (Reached | undefined)[] = [];

  constructor(options: RouteOptions) {
    this.options = options;
  }

  /** The number of a state. */
  id(state: AxisState): number {
    const key = stateKey(state);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    if (this.states.length >= stateLimit) throw new RangeError("too many layouts of one tensor");
    const id = this.states.length;
    this.ids.set(key, id);
    this.states.push(state);
    this.bytes.push(this.heldBytes(state));
    return id;
  }

  /** The state of a number that `id` gave. */
  state(id: number): AxisState {
    const state = this.states[id];
    if (state === undefined) throw new Error(`no state ${id}`);
    return state;
  }

  /** Whether every dim is cut evenly, or may be cut unevenly. */
  isLegal({ dims }: AxisState): boolean {
    const { shape, uneven = false } = this.options;
    return dims.every((axes, dim) => {
      const [size, count] = [shape[dim] ?? 1, this.pieces(axes)];
      return uneven ? count <= size : size % count === 0;
    });
  }

  /** Bytes that a device holds of the tensor in a state. */
  localBytes(id: number): number {
    return this.bytes[id] ?? 0;
  }

  /** Least seconds from one state to another; infinity where no steps lead there. */
  seconds(from: number, to: number): number {
    return from === to ? 0 : (this.from(from, to).seconds[to] ?? Number.POSITIVE_INFINITY);
  }

  /** The steps of the cheapest route; undefined where there is none. */
  route(from: number, to: number): readonly RouteStep[] | undefined {
    const { last } = this.from(from, to);
    const steps: RouteStep[] = [];
    for (let at = to; at !== from; ) {
      const link = last[at];
      if (link === undefined) return undefined;
      steps.push(link.step);
      at = link.from;
    }
    return steps.reverse();
  }

  /** The collectives of the cheapest route, slices included. */
  collectives(from: number, to: number): readonly Collective[] {
    return (this.route(from, to) ?? []).map(({ move }) => move.collective);
  }

  /** Every state that steps lead to, with its seconds, the source itself first. */
  reachable(from: number): readonly { readonly id: number; readonly seconds: number }[] {
    const { seconds } = this.from(from, from);
    return seconds.flatMap((each, id) => (Number.isFinite(each) ? [{ id, seconds: each }] : []));
  }

  private from(source: number, target: number): Reached {
    const usable = this.usable(source, target);
    const index = usable === undefined ? source : source * 2 ** this.options.axes.length + usable;
    const known = this.reached[index];
    if (known !== undefined) return known;
    const found = this.search(source, usable);
    this.reached[index] = found;
    return found;
  }

  /**
   * The axes of the two ends as bits, where steps may fuse: an axis that is only sliced and gathered
   * again on the way would lend its links to the others. Undefined where all may be used.
   */
  private usable(source: number, target: number): number | undefined {
    if (this.options.fuses !== true) return undefined;
    const ends = [this.state(source), this.state(target)];
    const axes = ends.flatMap(({ dims, partials }) => [...dims.flat(), ...partials]);
    return axes.reduce((bits, axis) => bits | (1 << axis), 0);
  }

  private search(source: number, usable: number | undefined): Reached {
    const seconds: number[] = [];
    const hops: number[] = [];
    const last: Reached["last"][number][] = [];
    const queue = new Queue();
    seconds[source] = 0;
    hops[source] = 0;
    queue.push(source, 0, 0);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { id } = next;
      if (next.seconds > (seconds[id] ?? 0) || next.hops > (hops[id] ?? 0)) continue;
      for (const { to, step } of this.edgesOf(id)) {
        if (usable !== undefined && !step.move.axes.every((axis) => (usable >> axis) & 1)) continue;
        const total = next.seconds + step.seconds;
        const isBetter = isLess(total, next.hops + 1, seconds[to], hops[to]);
        if (!isBetter) continue;
        seconds[to] = total;
        hops[to] = next.hops + 1;
        last[to] = { from: id, step };
        queue.push(to, total, next.hops + 1);
      }
    }
    const all = Array.from(this.states, (_, id) => seconds[id] ?? Number.POSITIVE_INFINITY);
    return { seconds: all, last };
  }

  private edgesOf(id: number): readonly Edge[] {
    const known = this.edges[id];
    if (known !== undefined) return known;
    const { axes, price } = this.options;
    const before = this.localBytes(id);
    const found: Edge[] = [];
    for (const move of this.movesOf(id)) {
      if (!this.isLegal(move.after)) continue;
      const used = move.axes.flatMap((axis) => axes[axis] ?? []);
      const { collective, from, to: into } = move;
      const dims = { ...(from !== undefined && { from }), ...(into !== undefined && { to: into }) };
      const seconds = price({ collective, axes: used, bytes: before, ...dims });
      if (!Number.isFinite(seconds)) continue;
      const to = this.id(move.after);
      found.push({ to, step: { move, seconds, before, after: this.localBytes(to) } });
    }
    this.edges[id] = found;
    return found;
  }

  private movesOf(id: number): readonly AxisMove[] {
    const { axes, fuses = false } = this.options;
    const state = this.state(id);
    const single = movesFrom(
      state,
      axes.map(({ size }) => size),
    );
    return fuses ? [...single, ...fusionsFrom(state)] : single;
  }

  private heldBytes({ dims }: AxisState): number {
    const { shape, bytesPerElement, meanPieces = false } = this.options;
    return dims.reduce((total, axes, dim) => {
      const length = (shape[dim] ?? 1) / this.pieces(axes);
      return total * (meanPieces ? length : Math.ceil(length));
    }, bytesPerElement);
  }

  private pieces(axes: readonly number[]): number {
    return axes.reduce((total, axis) => total * (this.options.axes[axis]?.size ?? 1), 1);
  }
}

/** Whether one price is less than another; equal but for rounding: the one with fewer steps. */
function isLess(seconds: number, hops: number, than: number | undefined, thanHops = 0): boolean {
  if (than === undefined) return true;
  if (Math.abs(seconds - than) <= 1e-12 * than) return hops < thanHops;
  return seconds < than;
}

interface Entry {
  readonly id: number;
  readonly seconds: number;
  readonly hops: number;
}

/** A binary heap of states by seconds, then steps. */
class Queue {
  private readonly entries: Entry[] = [];

  push(id: number, seconds: number, hops: number): void {
    const { entries } = this;
    const entry = { id, seconds, hops };
    let at = entries.push(entry) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = entries[up];
      if (parent === undefined || !isBefore(entry, parent)) break;
      entries[at] = parent;
      at = up;
    }
    entries[at] = entry;
  }

  pop(): Entry | undefined {
    const { entries } = this;
    const [first] = entries;
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return first;
    this.sink(last);
    return first;
  }

  private sink(entry: Entry): void {
    const { entries } = this;
    let at = 0;
    for (let child = 1; child < entries.length; child = 2 * at + 1) {
      const [left, right] = [entries[child], entries[child + 1]];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const least = isRight ? right : left;
      if (least === undefined || !isBefore(least, entry)) break;
      entries[at] = least;
      at = isRight ? child + 1 : child;
    }
    entries[at] = entry;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.seconds === b.seconds ? a.hops < b.hops : a.seconds < b.seconds;
}
