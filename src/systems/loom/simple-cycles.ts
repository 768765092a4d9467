/** Successors of each vertex; every vertex is a key. */
export type Successors = ReadonlyMap<string, readonly string[]>;

/**
 * Simple cycles of a directed graph (Johnson 1975), each from its first vertex in the order of the
 * keys; at most `limit` of them, because a dense graph has exponentially many.
 */
export function simpleCycles(
  successors: Successors,
  limit: number,
): readonly (readonly string[])[] {
  const alive = new Set(successors.keys());
  const predecessors = reversed(successors);
  const cycles: string[][] = [];
  dropEnds([...alive], { alive, successors, predecessors });
  for (const start of successors.keys()) {
    if (cycles.length >= limit) break;
    if (!alive.has(start)) continue;
    cyclesThrough(start, { alive, successors, predecessors }, cycles, limit);
    alive.delete(start);
    const touched = [...(successors.get(start) ?? []), ...(predecessors.get(start) ?? [])];
    dropEnds(touched, { alive, successors, predecessors });
  }
  return cycles;
}

interface Living {
  /** Vertices that may still lie on a cycle. */
  readonly alive: Set<string>;
  readonly successors: Successors;
  readonly predecessors: Successors;
}

/** Removes vertices without predecessors or successors until none is left. */
function dropEnds(
  candidates: readonly string[],
  { alive, successors, predecessors }: Living,
): void {
  const queue = [...candidates];
  for (let vertex = queue.pop(); vertex !== undefined; vertex = queue.pop()) {
    if (!alive.has(vertex)) continue;
    const after = successors.get(vertex) ?? [];
    const before = predecessors.get(vertex) ?? [];
    if (after.some((each) => alive.has(each)) && before.some((each) => alive.has(each))) continue;
    alive.delete(vertex);
    queue.push(...after, ...before);
  }
}

// A vertex stays blocked while every path from it to the start meets the current path. This bounds
// the work per cycle by the size of the graph.
function cyclesThrough(start: string, living: Living, cycles: string[][], limit: number): void {
  const inside = leadingTo(start, living);
  const blocked = new Set([start]);
  const waiting = new Map<string, Set<string>>();
  const nextOf = (vertex: string) =>
    (living.successors.get(vertex) ?? []).filter((each) => inside.has(each));
  const path = [{ vertex: start, next: nextOf(start), at: 0, hasCycle: false }];
  for (let top = path.at(-1); top !== undefined && cycles.length < limit; top = path.at(-1)) {
    const next = top.next[top.at++];
    if (next === start) {
      cycles.push(path.map(({ vertex }) => vertex));
      top.hasCycle = true;
    } else if (next !== undefined) {
      if (blocked.has(next)) continue;
      blocked.add(next);
      path.push({ vertex: next, next: nextOf(next), at: 0, hasCycle: false });
    } else {
      path.pop();
      const parent = path.at(-1);
      if (top.hasCycle) {
        unblock(top.vertex, blocked, waiting);
        if (parent !== undefined) parent.hasCycle = true;
      } else for (const each of top.next) waitFor(waiting, each, top.vertex);
    }
  }
}

function waitFor(waiting: Map<string, Set<string>>, vertex: string, waiter: string): void {
  const waiters = waiting.get(vertex) ?? new Set();
  waiting.set(vertex, waiters.add(waiter));
}

function unblock(vertex: string, blocked: Set<string>, waiting: Map<string, Set<string>>): void {
  const queue = [vertex];
  for (let each = queue.pop(); each !== undefined; each = queue.pop()) {
    if (!blocked.delete(each)) continue;
    queue.push(...(waiting.get(each) ?? []));
    waiting.delete(each);
  }
}

function leadingTo(start: string, { alive, predecessors }: Living): ReadonlySet<string> {
  const found = new Set([start]);
  const queue = [start];
  for (let vertex = queue.pop(); vertex !== undefined; vertex = queue.pop()) {
    for (const before of predecessors.get(vertex) ?? []) {
      if (!alive.has(before) || found.has(before)) continue;
      found.add(before);
      queue.push(before);
    }
  }
  return found;
}

function reversed(successors: Successors): Successors {
  const before = new Map<string, string[]>([...successors.keys()].map((vertex) => [vertex, []]));
  for (const [vertex, after] of successors) {
    for (const each of after) before.get(each)?.push(vertex);
  }
  return before;
}
