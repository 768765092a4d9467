import type { Collective } from "#core/collective";
import { type AxisMove, fusionsFrom, movesFrom } from "./axis-moves.ts";
import type { PriceMove, RouteAxis } from "./axis-price.ts";
import { type AxisState, stateKey } from "./axis-state.ts";
import { type FlatEdges, type Reached, reachedFrom } from "./reached-states.ts";

/** The inputs of a search for routes between the layouts of one tensor. */
export interface RouteOptions {
  readonly axes: readonly RouteAxis[];
  readonly shape: readonly number[];
  readonly bytesPerElement: number;
  readonly price: PriceMove;
  /**
   * Whether pieces may be unequal: blocks of the ceiling, as long as no dim is shorter than its
   * pieces.
   */
  readonly uneven?: boolean;
  /** Whether gathers and reductions over several axes may run as one step. */
  readonly fuses?: boolean;
  /** Whether unequal pieces are priced by their mean; by default by the largest. */
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

/** The steps out of a state, in lists by place. */
interface Edges extends FlatEdges {
  readonly steps: readonly RouteStep[];
}

/** The most layouts of one tensor for a search. */
const stateLimit = 20_000;

/**
 * Cheapest sequences of single-axis steps between the layouts of one tensor (planner-plain.md §5),
 * by Dijkstra's algorithm over all layouts that divide. Of equal prices the fewest steps win, then
 * the step that is listed first. States are numbers from `id`.
 */
export class AxisRoutes {
  readonly options: RouteOptions;
  private readonly states: AxisState[] = [];
  private readonly ids = new Map<string, number>();
  private readonly bytes: number[] = [];
  private readonly edges: (Edges | undefined)[] = [];
  /**
   * Steps out of a state (see `edges`) that use only certain axes; filled only if steps may fuse.
   */
  private readonly usableKnown: (Edges | undefined)[] = [];
  private readonly reached: (Reached | undefined)[] = [];

  constructor(options: RouteOptions) {
    this.options = options;
  }

  /** Id of a state. */
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

  /** Number of states that have an id. */
  get count(): number {
    return this.states.length;
  }

  /** State of an id. */
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

  /** Least seconds from one state to another; infinity without a route. */
  seconds(from: number, to: number): number {
    return from === to ? 0 : (this.from(from, to).seconds[to] ?? Number.POSITIVE_INFINITY);
  }

  /** Lower bound of `seconds`, for searches that know a bound sooner than the seconds. */
  bound(from: number, to: number): number {
    return this.seconds(from, to);
  }

  /** Part of the seconds that is known and does not grow with the tensor. */
  launch(_from: number, _to: number): number {
    return 0;
  }

  /** Whether `bound` is the exact seconds. */
  isKnown(_from: number, _to: number): boolean {
    return true;
  }

  /** Number of returned bounds that later proved too low. */
  get version(): number {
    return 0;
  }

  /** The steps of the cheapest route; `undefined` without a route. */
  route(from: number, to: number): readonly RouteStep[] | undefined {
    const { before, edge } = this.from(from, to);
    const steps: RouteStep[] = [];
    for (let at = to; at !== from; ) {
      const previous = before[at] ?? -1;
      const step = this.stepsBetween(previous, from, to).steps[edge[at] ?? -1];
      if (step === undefined) return undefined;
      steps.push(step);
      at = previous;
    }
    return steps.reverse();
  }

  /** The collectives of the cheapest route, slices included. */
  collectives(from: number, to: number): readonly Collective[] {
    return (this.route(from, to) ?? []).map(({ move }) => move.collective);
  }

  /**
   * All states that a sequence of steps reaches, with their seconds; the source itself comes first.
   */
  reachable(from: number): readonly { readonly id: number; readonly seconds: number }[] {
    const { seconds } = this.from(from, from);
    return seconds.flatMap((each, id) => (Number.isFinite(each) ? [{ id, seconds: each }] : []));
  }

  private from(source: number, target: number): Reached {
    const usable = this.usable(source, target);
    const index = usable === undefined ? source : this.indexOf(source, usable);
    const known = this.reached[index];
    if (known !== undefined) return known;
    const found = reachedFrom(source, (id) => this.usableEdges(id, usable));
    this.reached[index] = found;
    return found;
  }

  /**
   * Axes of source and target as a bit set, if steps may fuse: any other axis, sliced and gathered
   * again in between, would only add its links. `undefined` if all axes may be used.
   */
  private usable(source: number, target: number): number | undefined {
    if (this.options.fuses !== true) return undefined;
    const ends = [this.state(source), this.state(target)];
    const axes = ends.flatMap(({ dims, partials }) => [...dims.flat(), ...partials]);
    return axes.reduce((bits, axis) => bits | (1 << axis), 0);
  }

  /** Steps out of a state that a route between two given states may use. */
  private stepsBetween(id: number, from: number, to: number): Edges {
    return id < 0 ? noEdges : this.usableEdges(id, this.usable(from, to));
  }

  private usableEdges(id: number, usable: number | undefined): Edges {
    const all = this.edgesOf(id);
    if (usable === undefined) return all;
    const index = this.indexOf(id, usable);
    const known = this.usableKnown[index];
    if (known !== undefined) return known;
    const steps = all.steps.filter(({ move }) => move.axes.every((axis) => (usable >> axis) & 1));
    const found = this.edgesBy(steps);
    this.usableKnown[index] = found;
    return found;
  }

  private indexOf(id: number, usable: number): number {
    return id * 2 ** this.options.axes.length + usable;
  }

  private edgesBy(steps: readonly RouteStep[]): Edges {
    const to = steps.map(({ move }) => this.id(move.after));
    return { steps, to, seconds: steps.map(({ seconds }) => seconds) };
  }

  private edgesOf(id: number): Edges {
    const known = this.edges[id];
    if (known !== undefined) return known;
    const { axes, price } = this.options;
    const before = this.localBytes(id);
    const steps: RouteStep[] = [];
    for (const move of this.movesOf(id)) {
      if (!this.isLegal(move.after)) continue;
      const used = move.axes.flatMap((axis) => axes[axis] ?? []);
      const { collective, from, to: into } = move;
      const dims = { ...(from !== undefined && { from }), ...(into !== undefined && { to: into }) };
      const seconds = price({ collective, axes: used, bytes: before, ...dims });
      if (!Number.isFinite(seconds)) continue;
      const after = this.localBytes(this.id(move.after));
      steps.push({ move, seconds, before, after });
    }
    const found = this.edgesBy(steps);
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

const noEdges: Edges = { to: [], seconds: [], steps: [] };
