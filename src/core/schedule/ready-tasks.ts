/** Tasks that could start, the one of the least rank first: a binary heap. */
export class ReadyTasks {
  private readonly rankOf: (task: number) => number;
  private readonly heap: number[] = [];

  constructor(rankOf: (task: number) => number) {
    this.rankOf = rankOf;
  }

  first(): number | undefined {
    return this.heap[0];
  }

  add(task: number): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(task);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.rankAt(above) <= this.rankAt(at)) return;
      this.swap(at, above);
      at = above;
    }
  }

  /** Leaves out the first. */
  take(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && this.rankAt(left) < this.rankAt(least)) least = left;
      if (right < heap.length && this.rankAt(right) < this.rankAt(least)) least = right;
      if (least === at) return;
      this.swap(at, least);
      at = least;
    }
  }

  private rankAt(at: number): number {
    return this.rankOf(this.heap[at] ?? 0);
  }

  private swap(a: number, b: number): void {
    const [first, second] = [this.heap[a] ?? 0, this.heap[b] ?? 0];
    this.heap[a] = second;
    this.heap[b] = first;
  }
}
