import { append } from "#core/records";
import { type Network, updateRule } from "./network.ts";
import { usageIn } from "./usage.ts";
import type { UpdateRule } from "./use.ts";
import { boundOf, weightOf } from "./value-cost.ts";
import { sharedUse, valueAsMet } from "./value-shares.ts";
import type { PlannedValue } from "./values.ts";

/** The number of weighed readers after which polishing ends. */
const workLimit = 2_000_000;

/** The most passes over the whole program. */
const passLimit = 4;

/**
 * Improves a plan one operator or layout at rest at a time, and all equal readers of one value at
 * once, until nothing helps. Networks that price their widest values below cost need this: their
 * best plan is only a good start.
 *
 * @param perByte price of a byte in seconds
 */
export function polished(
  network: Network,
  start: readonly number[],
  perByte: number,
): readonly number[] {
  const run = new Polishing(network, [...start], perByte);
  for (let pass = 0; pass < passLimit && run.pass(); pass += 1);
  return run.plan;
}

/**
 * Searches the redistributions of single other choices that might improve a plan, for one of equal
 * operators. With their seconds known, the next plan is not misled by a sequence of lower bounds.
 *
 * @param perByte price of a byte in seconds
 */
export function probe(network: Network, start: readonly number[], perByte: number): void {
  const { unknowns, request, pricing } = network;
  const rule = updateRule(request, pricing);
  const touching = touchingOf(network);
  const plan = [...start];
  const known = new Set<string>();
  for (const [at, { seconds, key }] of unknowns.entries()) {
    const values = touching.get(at) ?? [];
    const name = `${key} ${plan[at]} ${values.length}`;
    if (values.length === 0 || known.has(name)) continue;
    known.add(name);
    const priceBy = (weigh: typeof weightOf) =>
      values.reduce(
        (sum, value) => {
          const weight = weigh(value, sharedUse(network, value, plan), rule);
          return sum + weight.seconds + perByte * weight.bytes;
        },
        seconds[plan[at] ?? 0] ?? 0,
      );
    const own = plan[at] ?? 0;
    const now = priceBy(weightOf);
    for (let choice = 0; choice < seconds.length; choice += 1) {
      plan[at] = choice;
      if (priceBy(boundOf) < now) priceBy(weightOf);
    }
    plan[at] = own;
  }
}

class Polishing {
  readonly plan: number[];
  private readonly network: Network;
  private readonly perByte: number;
  private readonly rule: UpdateRule;
  private readonly touching: ReadonlyMap<number, readonly PlannedValue[]>;
  /** States of unknowns for which no move helped; unknowns in an equal state are not tried. */
  private readonly tried = new Set<string>();
  private work = 0;

  constructor(network: Network, plan: number[], perByte: number) {
    this.network = network;
    this.plan = plan;
    this.perByte = perByte;
    this.rule = updateRule(network.request, network.pricing);
    this.touching = touchingOf(network);
  }

  /** Tries every move once; returns whether one helped. */
  pass(): boolean {
    let helped = false;
    for (const group of this.groups()) if (this.improve(group)) helped = true;
    for (const at of this.network.unknowns.keys()) {
      const name = this.standing(at);
      if (this.tried.has(name)) continue;
      if (this.improve([at])) helped = true;
      else if (this.work < workLimit) this.tried.add(name);
    }
    return helped && this.work < workLimit;
  }

  /**
   * Key of an unknown's situation: its choice, and the choices of all unknowns that share a value
   * with it.
   */
  private standing(at: number): string {
    const { network, plan, touching } = this;
    const around = (touching.get(at) ?? []).map((value) => {
      const share = network.shares.get(value);
      return share === undefined ? "" : valueAsMet(value, share, plan, at);
    });
    return [network.unknowns[at]?.key, plan[at], ...around].join("|");
  }

  /** Groups of readers of one value with the same choices. */
  private groups(): readonly (readonly number[])[] {
    const { values, unknowns } = this.network;
    return values.flatMap(({ readers }) => {
      if (readers.length < 2) return [];
      const byKey = new Map<number, number[]>();
      for (const { operator } of readers) {
        const key = unknowns[operator]?.key ?? -1;
        const list = byKey.get(key);
        if (list === undefined) byKey.set(key, [operator]);
        else if (!list.includes(operator)) list.push(operator);
      }
      return [...byKey.values()].filter((list) => list.length > 1);
    });
  }

  /**
   * Gives a group of unknowns the choice that is best for all of them together; true if the plan
   * improved.
   */
  private improve(group: readonly number[]): boolean {
    if (this.work >= workLimit) return false;
    const { plan, network } = this;
    const values = [...new Set(group.flatMap((at) => this.touching.get(at) ?? []))];
    const before = group.map((at) => plan[at] ?? 0);
    const set = (choices: readonly number[]) => {
      for (const [index, at] of group.entries()) plan[at] = choices[index] ?? 0;
    };
    let best = { choices: before, price: this.price(group, values) };
    const start = best.price;
    const [first = 0] = group;
    const count = network.unknowns[first]?.seconds.length ?? 0;
    for (let choice = 0; choice < count; choice += 1) {
      const choices = group.map(() => choice);
      set(choices);
      const price = this.price(group, values);
      if (price < best.price * (1 - 1e-12)) best = { choices, price };
    }
    set(best.choices);
    return best.price < start;
  }

  private price(group: readonly number[], values: readonly PlannedValue[]): number {
    const { network, plan, perByte, rule } = this;
    let price = 0;
    for (const at of group) price += network.unknowns[at]?.seconds[plan[at] ?? 0] ?? 0;
    for (const value of values) {
      // Not cached, since too many plans are tried.
      const use = usageIn(value, plan, network.choices, network.restOf);
      const { seconds, bytes } = weightOf(value, use, rule);
      price += seconds + perByte * bytes;
      this.work += 1 + value.readers.length;
    }
    return price;
  }
}

/** The values that each unknown makes, reads or stores. */
function touchingOf({ values, restOf }: Network): ReadonlyMap<number, readonly PlannedValue[]> {
  const touching = new Map<number, PlannedValue[]>();
  for (const value of values) {
    const { source, readers } = value;
    const own = source.kind === "operator" ? source.operator : restOf.get(value);
    const all = new Set([...(own === undefined ? [] : [own]), ...readers.map((r) => r.operator)]);
    for (const at of all) append(touching, at, value);
  }
  return touching;
}
