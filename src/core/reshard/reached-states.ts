/** Steps out of a state in flat lists, for the search; the caller interprets them by index. */
export interface FlatEdges {
  readonly to: readonly number[];
  readonly seconds: readonly number[];
}

/** The result of a search from one state, by state; -1 and infinity for states without a route. */
export interface Reached {
  readonly seconds: readonly number[];
  /** The previous state, and the index of the step among its edges. */
  readonly before: readonly number[];
  readonly edge: readonly number[];
}

/**
 * Least seconds from one state to every other by Dijkstra's algorithm; of equal prices the fewest
 * steps win, then the step that is listed first.
 *
 * @param edgesOf the steps out of a state; asked once for each state that is reached
 */
export function reachedFrom(source: number, edgesOf: (state: number) => FlatEdges): Reached {
  const seconds: number[] = [];
  const hops: number[] = [];
  const before: number[] = [];
  const edge: number[] = [];
  const reach = (state: number, total: number, count: number, from: number, by: number) => {
    for (let at = seconds.length; at <= state; at += 1) {
      seconds.push(Number.POSITIVE_INFINITY);
      hops.push(0);
      before.push(-1);
      edge.push(-1);
    }
    seconds[state] = total;
    hops[state] = count;
    before[state] = from;
    edge[state] = by;
  };
  const queue = new Queue();
  reach(source, 0, 0, -1, -1);
  queue.push(source, 0, 0);
  while (queue.size > 0) {
    const state = queue.firstState;
    const [own, count] = [queue.firstSeconds, queue.firstHops];
    queue.drop();
    if (own > (seconds[state] as number) || count > (hops[state] as number)) continue;
    const { to, seconds: prices } = edgesOf(state);
    for (let at = 0; at < to.length; at += 1) {
      const next = to[at] as number;
      const total = own + (prices[at] as number);
      if (next < seconds.length && !isLess(total, count + 1, seconds[next], hops[next])) continue;
      reach(next, total, count + 1, state, at);
      queue.push(next, total, count + 1);
    }
  }
  return { seconds, before, edge };
}

/**
 * Whether one price is less than another; with prices equal up to rounding, fewer steps are less.
 */
function isLess(seconds: number, hops: number, than = 0, thanHops = 0): boolean {
  if (than === Number.POSITIVE_INFINITY) return true;
  if (Math.abs(seconds - than) <= 1e-12 * than) return hops < thanHops;
  return seconds < than;
}

/** A binary heap of states by seconds, then steps, in flat lists. */
class Queue {
  private readonly states: number[] = [];
  private readonly seconds: number[] = [];
  private readonly hops: number[] = [];

  get size(): number {
    return this.states.length;
  }

  get firstState(): number {
    return this.states[0] as number;
  }

  get firstSeconds(): number {
    return this.seconds[0] as number;
  }

  get firstHops(): number {
    return this.hops[0] as number;
  }

  push(state: number, seconds: number, hops: number): void {
    let at = this.states.push(state) - 1;
    this.seconds.push(seconds);
    this.hops.push(hops);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!isEarlier(seconds, hops, this.seconds[up], this.hops[up])) break;
      this.move(up, at);
      at = up;
    }
    this.put(at, state, seconds, hops);
  }

  /** Removes the first entry. */
  drop(): void {
    const state = this.states.pop() as number;
    const seconds = this.seconds.pop() as number;
    const hops = this.hops.pop() as number;
    const { size } = this;
    if (size === 0) return;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      const least = child + 1 < size && this.isBefore(child + 1, child) ? child + 1 : child;
      const price = this.seconds[least] as number;
      if (!isEarlier(price, this.hops[least] as number, seconds, hops)) break;
      this.move(least, at);
      at = least;
    }
    this.put(at, state, seconds, hops);
  }

  private isBefore(a: number, b: number): boolean {
    return isEarlier(
      this.seconds[a] as number,
      this.hops[a] as number,
      this.seconds[b],
      this.hops[b],
    );
  }

  private move(from: number, to: number): void {
    this.put(
      to,
      this.states[from] as number,
      this.seconds[from] as number,
      this.hops[from] as number,
    );
  }

  private put(at: number, state: number, seconds: number, hops: number): void {
    this.states[at] = state;
    this.seconds[at] = seconds;
    this.hops[at] = hops;
  }
}

function isEarlier(seconds: number, hops: number, than = 0, thanHops = 0): boolean {
  return seconds === than ? hops < thanHops : seconds < than;
}
