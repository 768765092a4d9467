import { hubTableOf } from "./hub-elimination.ts";
import type { Shape, Variable } from "./table.ts";

/** The cost of eliminating a variable now. */
interface Weight {
  /** Sum of the sizes of pairs of neighbours without a common table (min-fill). */
  readonly fill: number;
  /** Entries that have to be computed. */
  readonly work: number;
  /** A key of its costs and tables: equal eliminations are computed once. */
  readonly likeness: string;
}

/** Variables with equal weights and equal likeness. */
interface Group extends Weight {
  readonly members: Set<number>;
}

/**
 * Chooses the next variable to eliminate: the least fill divided by the number of like variables,
 * then the least work, then the first. So equal blocks of a program are eliminated from within, and
 * only the first block costs time.
 */
export class EliminationOrder {
  private readonly variables: readonly Variable[];
  private readonly live: readonly ReadonlySet<Shape>[];
  private readonly groups = new Map<string, Group>();
  /** The group of each remaining variable. */
  private readonly groupOf = new Map<number, Group>();
  private readonly near = new Map<number, ReadonlyMap<number, number>>();
  private readonly alike = new Map<string, number>();

  constructor(variables: readonly Variable[], live: readonly ReadonlySet<Shape>[]) {
    this.variables = variables;
    this.live = live;
    for (const at of variables.keys()) this.join(at);
  }

  take(): number | undefined {
    let best: number | undefined;
    let [fill, work] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const group of this.groups.values()) {
      const share = 1 / (this.alike.get(group.likeness) ?? 1);
      const [ownFill, ownWork] = [group.fill * share, group.work * share];
      const isDearer = ownFill > fill || (ownFill === fill && ownWork > work);
      if (isDearer) continue;
      const first = leastOf(group.members);
      const isTied = ownFill === fill && ownWork === work;
      if (isTied && best !== undefined && best < first) continue;
      [best, fill, work] = [first, ownFill, ownWork];
    }
    if (best !== undefined) this.leave(best);
    return best;
  }

  /**
   * Updates the weights of variables with new neighbours, and of their neighbours, whose fill may
   * have changed.
   */
  changed(scope: readonly number[]): void {
    const beside = new Set<number>();
    for (const at of scope) this.near.delete(at);
    for (const at of scope) for (const other of this.neighbours(at).keys()) beside.add(other);
    for (const at of scope) {
      beside.delete(at);
      if (!this.groupOf.has(at)) continue;
      this.leave(at);
      this.join(at);
    }
    for (const at of beside) {
      const before = this.groupOf.get(at);
      const fill = before === undefined ? 0 : this.fillOf(this.neighbours(at));
      if (before === undefined || fill === before.fill) continue;
      this.leave(at);
      this.join(at, { fill, work: before.work, likeness: before.likeness });
    }
  }

  private leave(at: number): void {
    const group = this.groupOf.get(at);
    if (group === undefined) return;
    this.groupOf.delete(at);
    group.members.delete(at);
    if (group.members.size === 0) this.groups.delete(nameOf(group));
    this.alike.set(group.likeness, (this.alike.get(group.likeness) ?? 0) - 1);
  }

  private join(at: number, weight: Weight = this.weigh(at)): void {
    const { likeness } = weight;
    const name = nameOf(weight);
    const group = this.groups.get(name) ?? { ...weight, members: new Set() };
    group.members.add(at);
    this.groupOf.set(at, group);
    this.groups.set(name, group);
    this.alike.set(likeness, (this.alike.get(likeness) ?? 0) + 1);
  }

  private weigh(at: number): Weight {
    const near = this.neighbours(at);
    const tables = [...(this.live[at] ?? [])].map(
      ({ key, scope }) => `${key}.${scope.indexOf(at)}`,
    );
    const work = this.workOf(at, near);
    const likeness = `${this.variables[at]?.key}|${tables.sort().join("|")}`;
    return { fill: this.fillOf(near), work, likeness };
  }

  /**
   * Table entries to compute. A reader next to a hub is searched twice: for shared layouts and for
   * others.
   */
  private workOf(at: number, near: ReadonlyMap<number, number>): number {
    const own = this.variables[at]?.cost.length ?? 1;
    const hub = hubTableOf(at, [...(this.live[at] ?? [])])?.scope.at(-2);
    let work = 1;
    for (const [other, size] of near) if (other !== hub) work *= size;
    return work * (own + (hub === undefined ? 0 : (near.get(hub) ?? 0)));
  }

  /** The fill: all pairs of neighbours minus those with a common table, which are few. */
  private fillOf(near: ReadonlyMap<number, number>): number {
    let [sum, squares, joined] = [0, 0, 0];
    for (const [one, size] of near) {
      sum += size;
      squares += size * size;
      const known = this.neighbours(one);
      for (const other of known.size < near.size ? known.keys() : near.keys()) {
        if (other !== one && known.has(other)) joined += size * (near.get(other) ?? 0);
      }
    }
    return (sum * sum - squares - joined) / 2;
  }

  /**
   * The neighbours of a variable, each with the most classes that a table of the variable
   * distinguishes.
   */
  private neighbours(at: number): ReadonlyMap<number, number> {
    const known = this.near.get(at);
    if (known !== undefined) return known;
    const classes = new Map<number, number>();
    for (const { scope, dims } of this.live[at] ?? []) {
      for (const [index, other] of scope.entries()) {
        if (other === at) continue;
        const size = this.variables[other]?.cost.length ?? 1;
        classes.set(other, Math.min(size, (classes.get(other) ?? 1) * (dims[index] ?? 1)));
      }
    }
    this.near.set(at, classes);
    return classes;
  }
}

function nameOf({ fill, work, likeness }: Weight): string {
  return `${fill} ${work} ${likeness}`;
}

function leastOf(members: ReadonlySet<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const at of members) if (at < least) least = at;
  return least;
}
