import { accumulationSeconds, gradientRuns } from "./run-counts.ts";
import type { UpdateRule, Use } from "./use.ts";
import { heldBytes, ownWeight, sparedOf, type Uncovered } from "./value-cost.ts";
import type { PlannedValue } from "./values.ts";
import type { Weight } from "./weight.ts";

/** A set of layouts. */
class Layouts {
  readonly list: number[] = [];

  clear(): void {
    this.list.length = 0;
  }

  addAll(layouts: readonly number[]): void {
    for (const each of layouts) if (!this.list.includes(each)) this.list.push(each);
  }
}

/**
 * `uncoveredBound` of a weight that is updated in its layout at rest, from the costs of its single
 * redistributions, each found once, whatever the other readers do.
 */
export class PlainWeight {
  private readonly value: PlannedValue;
  private readonly rule: UpdateRule;
  /** Seconds to a layout and back, by the layout at rest. */
  private readonly moves = new Map<number, Map<number, number>>();
  private readonly owns = new Map<number, Weight>();
  private readonly reads = new Layouts();
  private readonly again = new Layouts();
  private readonly holds = new Layouts();
  private readonly made = new Layouts();
  private readonly gradients: number[] = [];

  constructor(value: PlannedValue, rule: UpdateRule) {
    this.value = value;
    this.rule = rule;
  }

  /** The cost with these uses; the first use gives the layout at rest. */
  uncovered(uses: readonly Partial<Use>[]): Uncovered {
    this.gather(uses);
    const { value, rule, reads, again, holds, made, gradients } = this;
    const source = uses[0]?.source ?? 0;
    const { runs } = rule;
    const own = this.ownOf(source);
    let { seconds, bytes } = own;
    const traffic = { forward: 0, backward: 0, reduced: 0 };
    for (const to of reads.list) {
      if (to === source) continue;
      traffic.forward += runs * this.moved(source, to);
      if (!rule.countsTurn) bytes += value.routes.localBytes(to);
    }
    for (const to of again.list) {
      if (to !== source) traffic.backward += runs * this.moved(source, to);
    }
    if (rule.countsTurn) bytes += heldBytes(value, holds.list, source);
    const times = gradientRuns(value, { gradients }, rule);
    const share = times / runs;
    if (!value.hasGradient) return { seconds, bytes, traffic, share };
    for (const from of made.list) {
      if (from !== source) traffic.reduced += times * this.moved(from, source);
    }
    seconds += accumulationSeconds(value, { source, gradients }, { update: source }, rule);
    return { seconds: seconds + this.additions(source), bytes, traffic, share };
  }

  private gather(uses: readonly Partial<Use>[]): void {
    const { reads, again, holds, made, gradients } = this;
    for (const each of [reads, again, holds, made]) each.clear();
    gradients.length = 0;
    for (const use of uses) {
      reads.addAll(use.reads ?? []);
      again.addAll(use.again ?? []);
      holds.addAll(use.holds ?? []);
      made.addAll(use.gradients ?? []);
      gradients.push(...(use.gradients ?? []));
    }
  }

  /**
   * Seconds to add up gradients: those in one layout in that layout, the sums of different ones in
   * the weight's.
   */
  private additions(source: number): number {
    const { rule, value, made, gradients } = this;
    if (gradients.length < 2) return 0;
    const add = (layout: number) =>
      rule.runs * rule.pricing.addSeconds(value.routes.localBytes(layout));
    let seconds = (made.list.length - 1) * add(source);
    for (const layout of made.list) {
      let members = 0;
      for (const each of gradients) if (each === layout) members += 1;
      if (members > 1) seconds += (members - 1) * add(layout);
    }
    return seconds;
  }

  private ownOf(source: number): Weight {
    const known =
      this.owns.get(source) ?? ownWeight(this.value, { rest: source, update: source }, this.rule);
    this.owns.set(source, known);
    return known;
  }

  private moved(from: number, to: number): number {
    const row = this.moves.get(from) ?? new Map<number, number>();
    this.moves.set(from, row);
    const known = row.get(to);
    if (known !== undefined) return known;
    const seconds = this.value.routes.bound(from, to) - sparedOf(this.value, from, to);
    row.set(to, seconds);
    return seconds;
  }
}
