import { crossed, type Weighed } from "./crossing.ts";
import { boundNetwork, type Solved, solveNetwork } from "./elimination.ts";
import type { Found } from "./found.ts";
import { labelled } from "./labels.ts";
import { type Network, repriced, weighed } from "./network.ts";
import { polished, probe } from "./polish.ts";
import { type Price, pricedNetwork } from "./priced-network.ts";
import type { Weight } from "./weight.ts";

/** The outcome of a search. */
export type Outcome =
  | { readonly kind: "found"; readonly found: Found }
  /** No plan fits; `least` is the plan with the fewest bytes. */
  | { readonly kind: "too-large"; readonly least: Found }
  /** An operator or value has no legal choice. */
  | { readonly kind: "impossible" };

/** The most searches by labels. */
const labelRounds = 4;

/** The most prices of bytes (Lagrange multipliers) that are tried. */
const roundLimit = 24;

/**
 * The cheapest plan of a network with at most `limit` bytes: exact elimination, then prices of
 * bytes until the limit binds, then all plans that the bound does not exclude (planner.md §4.4,
 * §4.5).
 *
 * @param order the elimination order of a network with the same values and readers
 */
export function solve(
  network: Network,
  limit: number | undefined,
  order?: readonly number[],
): Outcome {
  return solvedBy(new Search(network, order), limit);
}

/** `solve` by a search that may have found the fastest plan already. */
export function solvedBy(search: Search, limit: number | undefined): Outcome {
  if (search.isImpossible()) return { kind: "impossible" };
  const fastest = search.at({ perSecond: 1, perByte: 0 });
  if (!Number.isFinite(fastest.solved.cost)) return { kind: "impossible" };
  const { network } = search;
  const { weight, plan } = fastest;
  if (limit === undefined || weight.bytes <= limit) {
    const bound = network.isRelaxed
      ? Math.min(fastest.solved.cost, weight.seconds)
      : weight.seconds;
    return { kind: "found", found: { ...weight, plan, bound } };
  }
  return within(search, limit, fastest);
}

/**
 * The order in which the variables of a network are eliminated; every variable must have a possible
 * value.
 */
export function orderOf(network: Network): readonly number[] {
  const { solved } = new Search(network).at({ perSecond: 1, perByte: 0 });
  return solved.order;
}

/** The best plan at one price of bytes. */
export interface Point {
  readonly plan: readonly number[];
  readonly weight: Weight;
  readonly solved: Solved;
  readonly price: Price;
  /** The solved network. */
  readonly network: Network;
}

/** The best plans of a network at prices of bytes. */
export class Search {
  network: Network;
  /** Elimination order; found by the first search, since prices hardly change it. */
  private order: readonly number[] | undefined;
  /** Last plan found; valid while no bound has proved too low since. */
  private last: { readonly point: Point; readonly age: number } | undefined;

  constructor(network: Network, order?: readonly number[]) {
    this.network = network;
    this.order = order;
  }

  /** Whether some operator or value has no legal choice at all. */
  isImpossible(): boolean {
    return this.network.unknowns.some(({ seconds }) => seconds.length === 0);
  }

  /**
   * The best plan at a price. Redistributions are priced at their lower bounds until a plan uses
   * them; if the plan then takes longer than its price, the search is repeated with the known
   * seconds.
   */
  at(price: Price): Point {
    for (;;) {
      const { age, last } = this;
      if (last?.age === age && isSamePrice(last.point.price, price)) return last.point;
      const best = this.bestAt(price);
      if (this.age === age) {
        const point = this.polishedOn(best);
        this.last = { point, age };
        return point;
      }
      if (price.perSecond > 0) probe(this.network, best.plan, price.perByte / price.perSecond);
      this.network = repriced(this.network);
    }
  }

  /** The best plan at a price, with all seconds known by now. */
  priced(price: Price): Point {
    this.network = repriced(this.network);
    return this.at(price);
  }

  /** Number of bounds that have proved too low. */
  get age(): number {
    const routes = new Set(this.network.values.map((value) => value.routes));
    return [...routes].reduce((sum, { version }) => sum + version, 0);
  }

  private bestAt(price: Price): Point {
    const { network } = this;
    const memory = network.known.eliminationsAt(price.perSecond, price.perByte);
    const { variables, tables } = pricedNetwork(network, price);
    const solved =
      network.cases.isBounded === true
        ? boundNetwork(variables, tables, memory, { known: this.order })
        : solveNetwork(variables, tables, memory, this.order);
    this.order ??= solved.order;
    const { choices } = solved;
    const weight = weighed(network, choices);
    return { plan: choices, weight, solved, price, network };
  }

  /** Improves a plan locally if it still takes longer than its price. */
  private polishedOn(point: Point): Point {
    const { network, plan: start, weight, price, solved } = point;
    const total = price.perSecond * weight.seconds + price.perByte * weight.bytes;
    const isPriced = total <= solved.cost * (1 + 1e-12);
    if (isPriced || price.perSecond === 0) return point;
    const plan = polished(network, start, price.perByte / price.perSecond);
    return { ...point, plan, weight: weighed(network, plan) };
  }
}

function isSamePrice(a: Price, b: Price): boolean {
  return a.perSecond === b.perSecond && a.perByte === b.perByte;
}

/** The search under a limit that the fastest plan exceeds. */
function within(search: Search, limit: number, fastest: Point): Outcome {
  const leanest = search.at({ perSecond: 1e-9, perByte: 1 });
  if (leanest.weight.bytes > limit) {
    const least = search.at({ perSecond: 0, perByte: 1 });
    if (least.weight.bytes > limit) {
      return { kind: "too-large", least: { ...least.weight, plan: least.plan, bound: 0 } };
    }
    return closed(search, limit, fastest, least);
  }
  return closed(search, limit, fastest, leanest);
}

/** Finds the price of bytes at which the limit binds, then closes the remaining gap. */
function closed(search: Search, limit: number, fastest: Point, leanest: Point): Outcome {
  let [fast, lean] = [fastest, leanest];
  let best = leanest;
  let bound = { seconds: fastest.solved.cost, point: fastest };
  for (let round = 0; round < roundLimit; round += 1) {
    const saved = fast.weight.bytes - lean.weight.bytes;
    const perByte = (lean.weight.seconds - fast.weight.seconds) / saved;
    if (!(perByte > 0) || !Number.isFinite(perByte)) break;
    const point = search.at({ perSecond: 1, perByte });
    const seconds = point.solved.cost - perByte * limit;
    if (seconds > bound.seconds) bound = { seconds, point };
    const fits = point.weight.bytes <= limit;
    if (fits && point.weight.seconds < best.weight.seconds) best = point;
    if (samePlan(point, fast) || samePlan(point, lean)) break;
    if (fits) lean = point;
    else fast = point;
  }
  const { plan, weight } =
    fast.weight.bytes > limit ? better(best, crossed(search.network, fast, lean, limit)) : best;
  const incumbent: Found = { plan, ...weight, bound: Math.min(bound.seconds, weight.seconds) };
  const isProven = bound.seconds >= weight.seconds * (1 - 1e-12);
  if (isProven || search.network.isRelaxed) return { kind: "found", found: incumbent };
  return { kind: "found", found: labelledOn(search, limit, incumbent, bound.point) };
}

/** The search by labels, repeated while its plan takes longer than its bounds. */
function labelledOn(search: Search, limit: number, start: Found, from: Point): Found {
  let [incumbent, point] = [start, from];
  for (let round = 0; ; round += 1) {
    const { age } = search;
    const { network, price, solved } = point;
    const found = labelled(network, { limit, incumbent, perByte: price.perByte, solved });
    const isProven = found.bound >= found.seconds * (1 - 1e-12);
    if (isProven || search.age === age || round === labelRounds) return found;
    incumbent = found;
    point = search.priced(price);
  }
}

function better(a: Weighed, b: Weighed): Weighed {
  return b.weight.seconds < a.weight.seconds ? b : a;
}

function samePlan(a: Point, b: Point): boolean {
  return a.weight.seconds === b.weight.seconds && a.weight.bytes === b.weight.bytes;
}
