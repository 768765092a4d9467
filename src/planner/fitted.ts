import { crossed } from "./crossing.ts";
import { updateRule, weighed } from "./network.ts";
import type { Optimized, OptimizeOutcome } from "./optimized.ts";
import type { Point, Search } from "./solve.ts";
import type { UpdateRule } from "./use.ts";

/** Measures whole plans, and receives those that fit. */
export interface Watch {
  /** Peak bytes of a device under a plan. */
  readonly peakOf: (found: Optimized) => number;
  readonly onFound: (found: Optimized) => void;
  /** Whether any plan that fits suffices. */
  readonly isAnyEnough?: boolean;
}

/** Constructors of the three outcomes. */
export interface Outcomes {
  readonly planned: (plan: readonly number[], bound: number) => Optimized;
  readonly tooLarge: (leanest: Optimized) => OptimizeOutcome;
  readonly impossible: () => OptimizeOutcome;
}

/** Prices of bytes tried between the fastest plan and the leanest. */
const roundLimit = 8;

/**
 * The cheapest plan found whose measured peak is within a limit.
 *
 * A network counts bytes as a sum over values, but the peak is known only for a whole plan, so the
 * price of bytes is raised until plans fit. If the network counts the bytes of one moment, no
 * fitting plan is faster than the least sum of seconds and priced bytes, minus the limit at that
 * price (planner.md §4.5); otherwise the bound is that of the fastest plan.
 */
export function fitted(
  search: Search,
  limit: number,
  watch: Watch,
  outcomes: Outcomes,
): OptimizeOutcome {
  return new Fitting(search, limit, watch, outcomes).run();
}

interface Tried {
  readonly point: Point;
  readonly found: Optimized;
  readonly peak: number;
}

class Fitting {
  private readonly search: Search;
  private readonly limit: number;
  private readonly watch: Watch;
  private readonly outcomes: Outcomes;
  private readonly rule: Pick<UpdateRule, "countsTurn">;
  private isTelling = false;
  private bound = 0;
  private best: Optimized | undefined;
  /** The plan with the least peak (`bytes`). */
  private least: Optimized | undefined;

  constructor(search: Search, limit: number, watch: Watch, outcomes: Outcomes) {
    this.search = search;
    const { network } = search;
    const { countsTurn } = updateRule(network.request, network.pricing);
    // With a recomputation budget a step keeps less than the network assumes.
    this.rule = { countsTurn: countsTurn && network.request.training?.budget === undefined };
    this.limit = limit;
    this.watch = watch;
    this.outcomes = outcomes;
  }

  run(): OptimizeOutcome {
    if (this.search.isImpossible()) return this.outcomes.impossible();
    const isAny = this.watch.isAnyEnough === true;
    if (isAny) this.leanest();
    if (this.best === undefined) {
      const fastest = this.tried({ perSecond: 1, perByte: 0 });
      if (fastest === undefined) return this.outcomes.impossible();
      this.isTelling = true;
      if (this.best === undefined && !isAny) this.slower(fastest);
    }
    const { best, least } = this;
    if (best === undefined)
      return least === undefined ? this.outcomes.impossible() : this.outcomes.tooLarge(least);
    return { ok: true, value: { ...best, bound: Math.min(this.bound, best.seconds) } };
  }

  /** Tries slower plans than the fastest, which does not fit. */
  private slower(fastest: Tried): void {
    const lean = this.leanest();
    if (lean !== undefined) this.close(fastest, lean);
  }

  /** Looks for a plan that fits, faster ones first. */
  private leanest(): Tried | undefined {
    for (const perSecond of [1e-9, 0]) {
      const tried = this.tried({ perSecond, perByte: 1 });
      if (tried !== undefined && tried.peak <= this.limit) return tried;
    }
    return undefined;
  }

  /**
   * Finds by bisection the price at which the limit binds, then mixes the plans on both sides of
   * it.
   */
  private close(fastest: Tried, leanest: Tried): void {
    let [fast, lean] = [fastest, leanest];
    for (let round = 0; round < roundLimit; round += 1) {
      const saved = fast.point.weight.bytes - lean.point.weight.bytes;
      const perByte = (lean.point.weight.seconds - fast.point.weight.seconds) / saved;
      if (!(perByte > 0) || !Number.isFinite(perByte)) break;
      const next = this.tried({ perSecond: 1, perByte });
      if (next === undefined || isSame(next, fast) || isSame(next, lean)) break;
      if (next.peak <= this.limit) lean = next;
      else fast = next;
    }
    this.mix(fast, lean);
  }

  /** Mixes layers of two plans, with as many of the faster one as fit. */
  private mix(fast: Tried, lean: Tried): void {
    const { network } = this.search;
    for (const { point, peak } of [lean, fast]) {
      const room = this.limit - (peak - point.weight.bytes);
      if (fast.point.weight.bytes <= room || lean.point.weight.bytes > room) continue;
      const { plan } = crossed(network, fast.point, lean.point, room);
      this.note(plan);
    }
  }

  /** The best plan at a price; `undefined` if there is no plan at all. */
  private tried(price: Parameters<Search["at"]>[0]): Tried | undefined {
    const point = this.search.at(price);
    if (!Number.isFinite(point.solved.cost)) return undefined;
    const { countsTurn } = this.rule;
    if (price.perByte === 0 || (countsTurn && price.perSecond === 1)) {
      this.bound = Math.max(this.bound, point.solved.cost - price.perByte * this.limit);
    }
    return { point, ...this.note(point.plan) };
  }

  /** Measures a plan, and keeps it if it is the quickest that fits. */
  private note(plan: readonly number[]): { readonly found: Optimized; readonly peak: number } {
    const { limit, watch, best, outcomes } = this;
    const { seconds } = weighed(this.search.network, plan);
    const found = outcomes.planned(plan, Math.min(this.bound, seconds));
    const peak = watch.peakOf(found);
    if (this.least === undefined || peak < this.least.bytes) this.least = { ...found, bytes: peak };
    if (peak <= limit && (best === undefined || found.seconds < best.seconds)) {
      this.best = found;
      if (this.isTelling) watch.onFound(found);
    }
    return { found, peak };
  }
}

function isSame(a: Tried, b: Tried): boolean {
  const [one, other] = [a.point.weight, b.point.weight];
  return one.seconds === other.seconds && one.bytes === other.bytes;
}
