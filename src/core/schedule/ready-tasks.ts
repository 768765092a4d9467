/** Tasks that could start, the least rank first: a binary heap. */
export class ReadyTasks {
  private readonly ranks: Float64Array;
  private readonly heap: number[] = [];

  constructor(ranks: Float64Array) {
    this.ranks = ranks;
  }

  /** The first task; -1 if no task could start. */
  first(): number {
    return this.heap[0] ?? -1;
  }

  add(task: number): void {
    const { heap } = this;
    const rank = this.rankOf(task);
    let at = heap.length;
    heap.push(task);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above] ?? 0;
      if (this.rankOf(other) <= rank) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = task;
  }

  /** Removes the first task. */
  take(): void {
    const { heap } = this;
    const last = heap.pop();
    const { length } = heap;
    if (last === undefined || length === 0) return;
    const rank = this.rankOf(last);
    let at = 0;
    for (let left = 1; left < length; left = 2 * at + 1) {
      const right = left + 1;
      const isRight = right < length && this.rankAt(right) < this.rankAt(left);
      const least = isRight ? right : left;
      if (this.rankAt(least) >= rank) break;
      heap[at] = heap[least] ?? 0;
      at = least;
    }
    heap[at] = last;
  }

  private rankAt(at: number): number {
    return this.rankOf(this.heap[at] ?? 0);
  }

  private rankOf(task: number): number {
    return this.ranks[task] ?? 0;
  }
}
