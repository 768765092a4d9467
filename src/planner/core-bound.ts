import { type Factor, factorOf, leastOf, marginalOf, slackOf } from "./factor.ts";
import type { Table, Variable } from "./table.ts";

/** Part of a network that is too wide to eliminate exactly. */
export interface Core {
  /** Variables of the core, by index in the network. */
  readonly members: readonly number[];
  readonly variables: readonly Variable[];
  readonly tables: readonly Table[];
}

/** Lower bound on the minimum sum of a core, and values of its variables that come close to it. */
export interface CoreBound {
  readonly bound: number;
  readonly choices: ReadonlyMap<number, number>;
}

/** The most passes over the core; each goes through it forwards and backwards. */
const passLimit = 60;

/** Least relative gain of the bound in a pass; a smaller gain counts as none. */
const leastGain = 2e-4;

/** Passes without a gain after which the search ends. */
const patience = 3;

/**
 * Bounds the least sum of a core by sequential message passing (Kolmogorov, TRW-S, 2006): costs
 * move between tables and variables without changing any sum, until the least costs of all tables
 * and variables by themselves add up to as much as possible. On a tree the bound is the least sum.
 */
export function boundedCore(core: Core): CoreBound {
  return new Passing(core).run();
}

class Passing {
  private readonly core: Core;
  private readonly factors: readonly Factor[];
  private readonly touching: readonly (readonly { factor: Factor; at: number }[])[];
  /** Costs of each variable's values, including the costs moved there from tables. */
  private readonly own: readonly Float64Array[];

  constructor(core: Core) {
    this.core = core;
    const places = new Map(core.members.map((member, place) => [member, place]));
    const extreme = 1e3 * largest(core);
    const known = new Map<Float64Array, Float64Array>();
    const finite = (cost: Float64Array) => {
      const made = known.get(cost) ?? cost.map((each) => Math.min(each, extreme));
      known.set(cost, made);
      return made;
    };
    this.factors = core.tables.map((table) =>
      factorOf(table, finite(table.cost), (member) => places.get(member) ?? 0),
    );
    const touching = core.members.map((): { factor: Factor; at: number }[] => []);
    for (const factor of this.factors) {
      for (const [at, place] of factor.scope.entries()) touching[place]?.push({ factor, at });
    }
    this.touching = touching;
    this.own = core.members.map((member) =>
      (core.variables[member]?.cost ?? new Float64Array()).map((each) => Math.min(each, extreme)),
    );
  }

  run(): CoreBound {
    const forwards = [...this.own.keys()];
    const backwards = forwards.toReversed();
    let best = { bound: this.bound(), choices: this.decoded(forwards) };
    let waited = 0;
    for (let pass = 0; pass < passLimit && waited < patience; pass += 1) {
      this.pass(forwards, 1);
      this.pass(backwards, -1);
      const bound = this.bound();
      waited = bound - best.bound > leastGain * Math.abs(bound) ? 0 : waited + 1;
      const choices = this.decoded(forwards);
      const isBetter = this.sumOf(choices) < this.sumOf(best.choices);
      best = { bound: Math.max(bound, best.bound), choices: isBetter ? choices : best.choices };
    }
    const { members } = this.core;
    const choices = new Map(best.choices.map((value, place) => [members[place] ?? 0, value]));
    return { bound: best.bound, choices };
  }

  /**
   * Moves the minimum costs of each variable's tables to the variable, and equal shares of them on
   * to the tables further in this direction.
   */
  private pass(order: readonly number[], sign: 1 | -1): void {
    for (const place of order) {
      const near = this.touching[place] ?? [];
      const own = this.own[place];
      if (own === undefined || near.length === 0) continue;
      const isFurther = ({ scope }: Factor) => scope.some((other) => sign * other > sign * place);
      const further = near.filter(({ factor }) => isFurther(factor));
      const share = 1 / Math.max(further.length, near.length - further.length, 1);
      for (const { factor, at } of near) {
        const least = marginalOf(factor, at);
        move(own, factor, at, least, 1);
      }
      const lent = further.map(({ factor, at }) => {
        const part = leastOf(own, factor, at);
        for (let each = 0; each < part.length; each += 1) part[each] = share * (part[each] ?? 0);
        return { factor, at, part };
      });
      for (const { factor, at, part } of lent) move(own, factor, at, part, -1);
    }
  }

  private bound(): number {
    let bound = 0;
    for (const own of this.own) bound += least(own);
    for (const factor of this.factors) bound += least(marginalOf(factor, 0));
    return bound;
  }

  /** The best value of each variable in turn, given the values chosen before it. */
  private decoded(order: readonly number[]): number[] {
    const chosen = this.own.map(() => -1);
    for (const place of order) {
      const own = this.own[place] ?? new Float64Array();
      const sums = Float64Array.from(own);
      for (const { factor, at } of this.touching[place] ?? []) {
        const slack = slackOf(factor, at, chosen);
        const map = factor.maps[at];
        for (let value = 0; value < sums.length; value += 1) {
          sums[value] = (sums[value] ?? 0) + (slack[map?.[value] ?? 0] ?? 0);
        }
      }
      chosen[place] = sums.indexOf(least(sums));
    }
    return chosen;
  }

  /** The sum of all costs, which no pass changes. */
  private sumOf(chosen: readonly number[]): number {
    let sum = 0;
    for (const [place, own] of this.own.entries()) sum += own[chosen[place] ?? 0] ?? 0;
    for (const factor of this.factors) {
      const [first = 0] = factor.scope;
      const klass = factor.maps[0]?.[chosen[first] ?? 0] ?? 0;
      sum += slackOf(factor, 0, chosen)[klass] ?? 0;
    }
    return sum;
  }
}

/** Moves a cost per class of a table to its variable, or back with a negative sign. */
function move(own: Float64Array, factor: Factor, at: number, part: Float64Array, sign: 1 | -1) {
  const map = factor.maps[at];
  const moved = factor.moved[at];
  if (map === undefined || moved === undefined) return;
  for (let klass = 0; klass < moved.length; klass += 1) {
    moved[klass] = (moved[klass] ?? 0) - sign * (part[klass] ?? 0);
  }
  for (let value = 0; value < own.length; value += 1) {
    own[value] = (own[value] ?? 0) + sign * (part[map[value] ?? 0] ?? 0);
  }
}

/** The largest finite cost; impossible values count as a multiple of it. */
function largest({ members, variables, tables }: Core): number {
  let most = 0;
  const look = (costs: Float64Array) => {
    for (const cost of costs) if (cost > most && Number.isFinite(cost)) most = cost;
  };
  for (const member of members) look(variables[member]?.cost ?? new Float64Array());
  for (const cost of new Set(tables.map((table) => table.cost))) look(cost);
  return most;
}

function least(costs: Float64Array): number {
  let found = Number.POSITIVE_INFINITY;
  for (let at = 0; at < costs.length; at += 1) {
    const cost = costs[at] as number;
    if (cost < found) found = cost;
  }
  return found;
}
