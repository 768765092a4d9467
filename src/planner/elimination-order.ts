import type { Table, Variable } from "./table.ts";

/** How dear it is to eliminate a variable now. */
interface Weight {
  /** Sizes of the pairs of neighbours that nothing joins yet. */
  readonly fill: number;
  /** Entries that have to be computed. */
  readonly work: number;
  /** What it looks like from here: equal ones are computed once. */
  readonly likeness: string;
}

/**
 * Chooses which variable to eliminate next: the one that joins the least that was apart, shared
 * among all that look alike, then the one that takes the least work, then the first. Equal blocks of
 * a program are so eliminated from within, and only the first of them costs anything.
 */
export class EliminationOrder {
  private readonly variables: readonly Variable[];
  private readonly live: readonly ReadonlySet<Table>[];
  private readonly weights: (Weight | undefined)[];
  private readonly alike = new Map<string, number>();
  private readonly left: Set<number>;

  constructor(variables: readonly Variable[], live: readonly ReadonlySet<Table>[]) {
    this.variables = variables;
    this.live = live;
    this.left = new Set(variables.keys());
    this.weights = variables.map(() => undefined);
    for (const at of this.left) this.weigh(at);
  }

  take(): number | undefined {
    let best: number | undefined;
    let [fill, work] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const at of this.left) {
      const weight = this.weights[at];
      if (weight === undefined) continue;
      const share = 1 / (this.alike.get(weight.likeness) ?? 1);
      const [ownFill, ownWork] = [weight.fill * share, weight.work * share];
      if (ownFill > fill || (ownFill === fill && ownWork >= work)) continue;
      [best, fill, work] = [at, ownFill, ownWork];
    }
    if (best !== undefined) this.remove(best);
    return best;
  }

  /** Weighs again what has new neighbours: these, and everything next to them. */
  changed(scope: readonly number[]): void {
    const near = new Set(scope);
    for (const at of scope) for (const other of this.neighbours(at).keys()) near.add(other);
    for (const at of near) if (this.left.has(at)) this.weigh(at);
  }

  private remove(at: number): void {
    this.left.delete(at);
    this.count(at, -1);
  }

  private count(at: number, by: number): void {
    const { likeness } = this.weights[at] ?? {};
    if (likeness !== undefined) this.alike.set(likeness, (this.alike.get(likeness) ?? 0) + by);
  }

  private weigh(at: number): void {
    this.count(at, -1);
    const near = this.neighbours(at);
    const tables = [...(this.live[at] ?? [])].map(
      ({ key, scope }) => `${key}.${scope.indexOf(at)}`,
    );
    this.weights[at] = {
      fill: this.fillOf(near),
      work: [...near.values()].reduce((a, b) => a * b, this.variables[at]?.cost.length ?? 1),
      likeness: `${this.variables[at]?.key}|${tables.sort().join("|")}`,
    };
    this.count(at, 1);
  }

  private fillOf(near: ReadonlyMap<number, number>): number {
    const list = [...near];
    let fill = 0;
    for (const [index, [one, size]] of list.entries()) {
      const known = this.neighbours(one);
      for (const [other, otherSize] of list.slice(index + 1)) {
        if (!known.has(other)) fill += size * otherSize;
      }
    }
    return fill;
  }

  /** The neighbours of a variable with how many classes of them its tables tell apart at most. */
  private neighbours(at: number): ReadonlyMap<number, number> {
    const classes = new Map<number, number>();
    for (const { scope, dims } of this.live[at] ?? []) {
      for (const [index, other] of scope.entries()) {
        if (other === at) continue;
        const size = this.variables[other]?.cost.length ?? 1;
        classes.set(other, Math.min(size, (classes.get(other) ?? 1) * (dims[index] ?? 1)));
      }
    }
    return classes;
  }
}
