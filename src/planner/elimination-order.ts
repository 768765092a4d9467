import { hubTableOf } from "./hub-elimination.ts";
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

/** Variables that are as dear as each other and look alike. */
interface Group extends Weight {
  readonly members: Set<number>;
}

/**
 * Chooses which variable to eliminate next: the one that joins the least that was apart, shared
 * among all that look alike, then the one that takes the least work, then the first. Equal blocks of
 * a program are so eliminated from within, and only the first of them costs anything.
 */
export class EliminationOrder {
  private readonly variables: readonly Variable[];
  private readonly live: readonly ReadonlySet<Table>[];
  private readonly groups = new Map<string, Group>();
  /** By variable that is left: the name of its group. */
  private readonly names = new Map<number, string>();
  private readonly near = new Map<number, ReadonlyMap<number, number>>();
  private readonly alike = new Map<string, number>();

  constructor(variables: readonly Variable[], live: readonly ReadonlySet<Table>[]) {
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

  /** Weighs again what has new neighbours: these, and everything next to them. */
  changed(scope: readonly number[]): void {
    const touched = new Set(scope);
    for (const at of scope) {
      this.near.delete(at);
      for (const other of this.neighbours(at).keys()) touched.add(other);
    }
    for (const at of touched) {
      if (!this.names.has(at)) continue;
      this.leave(at);
      this.join(at);
    }
  }

  private leave(at: number): void {
    const name = this.names.get(at) ?? "";
    this.names.delete(at);
    const group = this.groups.get(name);
    if (group === undefined) return;
    group.members.delete(at);
    if (group.members.size === 0) this.groups.delete(name);
    this.alike.set(group.likeness, (this.alike.get(group.likeness) ?? 0) - 1);
  }

  private join(at: number): void {
    const weight = this.weigh(at);
    const { fill, work, likeness } = weight;
    const name = `${fill} ${work} ${likeness}`;
    this.names.set(at, name);
    const group = this.groups.get(name) ?? { ...weight, members: new Set() };
    group.members.add(at);
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

  /** Beside a hub what a reader shares and what not is looked for apart. */
  private workOf(at: number, near: ReadonlyMap<number, number>): number {
    const own = this.variables[at]?.cost.length ?? 1;
    const hub = hubTableOf(at, [...(this.live[at] ?? [])])?.scope.at(-2);
    let work = 1;
    for (const [other, size] of near) if (other !== hub) work *= size;
    return work * (own + (hub === undefined ? 0 : (near.get(hub) ?? 0)));
  }

  /** All pairs of neighbours but for those that are joined: few of many are. */
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

  /** The neighbours of a variable with how many classes of them its tables tell apart at most. */
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

function leastOf(members: ReadonlySet<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const at of members) if (at < least) least = at;
  return least;
}
