import { LastUses } from "./last-uses.ts";
import { endBound } from "./result-ends.ts";
import { combinedSeconds, isSummedOverRuns } from "./run-counts.ts";
import { isApart, type UpdateRule, type Use, withoutPartials } from "./use.ts";
import { heldBytes, ownWeight } from "./value-cost.ts";
import type { PlannedValue } from "./values.ts";
import type { Weights } from "./weights.ts";
import { WholeWeighing } from "./whole-weights.ts";

/**
 * The cost of a value in every case, equal to `boundOf` of each case but faster: a value with
 * several readers has hundreds of thousands of cases.
 *
 * @param sides the uses of the value by each unknown
 * @param given the layout of the value if no unknown chooses it
 */
export function weighAll(
  value: PlannedValue,
  sides: readonly (readonly Partial<Use>[])[],
  given: number,
  rule: UpdateRule,
): Weights {
  const total = sides.reduce((product, uses) => product * uses.length, 1);
  const weights = { seconds: new Float64Array(total), bytes: new Float64Array(total) };
  if (isWeighedWhole(value, rule)) new WholeWeighing(value, sides, rule, weights).run();
  else new Weighing(value, sides, rule, weights).start(given);
  return weights;
}

/**
 * Whether the cost of one reader of a value at rest depends on the other readers, so that their
 * choices are weighed together, case by case.
 */
function isWeighedWhole(value: PlannedValue, rule: UpdateRule): boolean {
  const isSplit = rule.zero > 0 && value.hasGradient && value.source.kind === "rest";
  return isSplit || value.hiding !== undefined || isSummedOverRuns(value, rule);
}

const none: readonly number[] = [];

/** Counts of layouts that are read, of gradients computed, read again and kept. */
type Lengths = readonly [reads: number, gradients: number, again: number, holds: number];

/** The cost of the uses chosen on the levels above. */
interface Sofar {
  readonly source: number;
  readonly seconds: number;
  readonly bytes: number;
}

class Weighing {
  private readonly value: PlannedValue;
  private readonly sides: readonly (readonly Partial<Use>[])[];
  private readonly rule: UpdateRule;
  private readonly weights: Weights;
  /** Layouts of the uses chosen on the levels above. */
  private readonly reads: number[] = [];
  private readonly gradients: number[] = [];
  private readonly again: number[] = [];
  private readonly holds: number[] = [];
  private readonly bases = new Map<number, Base>();
  private last: LastUses | undefined;
  private at = 0;

  constructor(
    value: PlannedValue,
    sides: readonly (readonly Partial<Use>[])[],
    rule: UpdateRule,
    weights: Weights,
  ) {
    this.value = value;
    this.sides = sides;
    this.rule = rule;
    this.weights = weights;
  }

  /** Weighs all cases; `given` is the layout of the value if no side chooses it. */
  start(given: number): void {
    this.descend(0, given);
  }

  private descend(level: number, given: number): void {
    const uses = this.sides[level] ?? [];
    const isSource = this.value.source.kind !== "given" && level === 0;
    if (!isSource) {
      this.readers(level, this.placedAt(given));
      return;
    }
    for (const { source = given, holds } of uses) {
      this.readers(level + 1, this.placedAt(source, holds));
    }
  }

  /**
   * Cost of the value in the layout in which it is made; a placement in the text counts as one more
   * reader.
   */
  private placedAt(source: number, holds: readonly number[] = none): Sofar {
    const { placed } = this.value;
    this.leave([0, 0, 0, 0]);
    const start = this.with({ source, seconds: 0, bytes: 0 }, { holds });
    return placed === undefined
      ? start
      : this.with(start, { reads: [placed], gradients: [placed] });
  }

  private readers(level: number, sofar: Sofar): void {
    const uses = this.sides[level];
    if (uses === undefined) {
      this.finish(sofar);
      return;
    }
    if (level === this.sides.length - 1) {
      this.lastReader(uses, sofar);
      return;
    }
    const before = this.lengths();
    for (const use of uses) {
      this.readers(level + 1, this.with(sofar, use));
      this.leave(before);
    }
  }

  /** The present numbers of layouts, from the levels above. */
  private lengths(): Lengths {
    return [this.reads.length, this.gradients.length, this.again.length, this.holds.length];
  }

  /** Drops the layouts of deeper levels. */
  private leave([reads, gradients, again, holds]: Lengths): void {
    this.reads.length = reads;
    this.gradients.length = gradients;
    this.again.length = again;
    this.holds.length = holds;
  }

  /** The last side, whose layouts need not be kept; most of the time is spent here. */
  private lastReader(uses: readonly Partial<Use>[], sofar: Sofar): void {
    const { weights, reads, gradients } = this;
    const last = this.lastOf(uses, sofar.source);
    const base = this.baseOf(sofar.source);
    const [startSeconds, startBytes] = [sofar.seconds + base.seconds, sofar.bytes + base.bytes];
    const apart = gradients.length === 0 ? 0 : base.whole;
    const [hasReads, hasGradients] = [reads.length > 0, gradients.length > 0];
    for (let use = 0; use < uses.length; use += 1) {
      if (last.isOther[use] === 1) {
        this.oneUse(uses[use] ?? {}, sofar);
        continue;
      }
      let [seconds, bytes] = [startSeconds, startBytes];
      if (!hasReads || !reads.includes(last.reads[use] as number)) {
        seconds += last.readSeconds[use] as number;
        bytes += last.readBytes[use] as number;
      }
      const held = last.holds[use] as number;
      if (held >= 0 && !this.holds.includes(held)) bytes += last.holdBytes[use] as number;
      const from = last.gradients[use] as number;
      if (from >= 0) {
        const isKnown = hasGradients && gradients.includes(from);
        const moved = apart + (last.gradientSeconds[use] as number);
        seconds += isKnown ? (last.addSeconds[use] as number) : moved;
      }
      weights.seconds[this.at] = seconds;
      weights.bytes[this.at] = bytes;
      this.at += 1;
    }
  }

  /** The cost that each use of the last side adds if no earlier reader wants its layouts. */
  private lastOf(uses: readonly Partial<Use>[], source: number): LastUses {
    const last = this.last ?? new LastUses(this.value, uses, this.rule);
    last.beside(source);
    this.last = last;
    return last;
  }

  private oneUse(use: Partial<Use>, sofar: Sofar): void {
    const before = this.lengths();
    this.finish(this.with(sofar, use));
    this.leave(before);
  }

  /** The cost that one reader adds: a redistribution serves all readers of its layout. */
  private with(
    sofar: Sofar,
    { reads = none, gradients = none, again = none, holds = none }: Partial<Use>,
  ): Sofar {
    const { routes, hasGradient } = this.value;
    const { runs, countsTurn } = this.rule;
    const { source } = sofar;
    let { seconds, bytes } = sofar;
    if (countsTurn) {
      const more = holds.filter((each) => add(this.holds, each));
      bytes += heldBytes(this.value, more, source);
    }
    for (const to of reads) {
      if (!add(this.reads, to) || to === source) continue;
      seconds += runs * routes.bound(source, to);
      if (!countsTurn) bytes += routes.localBytes(to);
    }
    for (const to of again) {
      const known = isApart(this.value, source, to) ? this.again : this.reads;
      if (add(known, to) && to !== source) seconds += runs * routes.bound(source, to);
    }
    if (hasGradient) for (const from of gradients) seconds += this.combined(from, source);
    return { source, seconds, bytes };
  }

  /**
   * Seconds of one more gradient: of its redistribution, or of adding it to one in the same layout.
   */
  private combined(from: number, source: number): number {
    const { routes } = this.value;
    const { pricing, runs } = this.rule;
    const { wanted, whole } = this.baseOf(source);
    const isFirst = this.gradients.length === 0;
    if (!add(this.gradients, from)) return runs * pricing.addSeconds(routes.localBytes(from));
    const apart = isFirst ? 0 : whole;
    return apart + combinedSeconds(this.value, this.rule, { source, from, wanted });
  }

  private finish(sofar: Sofar): void {
    const { weights, at } = this;
    this.at += 1;
    const base = this.baseOf(sofar.source);
    weights.seconds[at] = sofar.seconds + base.seconds;
    weights.bytes[at] = sofar.bytes + base.bytes;
  }

  private baseOf(source: number): Base {
    const known = this.bases.get(source) ?? baseOf(this.value, source, this.rule);
    this.bases.set(source, known);
    return known;
  }
}

/** Cost of a value in the layout in which it is made, without its readers. */
interface Base {
  /** Seconds of the value itself, its update and its final layout. */
  readonly seconds: number;
  readonly bytes: number;
  /** The layout that its gradient needs. */
  readonly wanted: number;
  /** Seconds to add two gradients in that layout. */
  readonly whole: number;
}

function baseOf(value: PlannedValue, source: number, rule: UpdateRule): Base {
  const { routes, hasGradient } = value;
  const own = ownWeight(value, { rest: source, update: source }, rule);
  const wanted = hasGradient ? withoutPartials(value, source) : source;
  const whole = rule.runs * rule.pricing.addSeconds(routes.localBytes(wanted));
  const end = endBound(value, source);
  const { runs, countsTurn } = rule;
  const bytes = own.bytes + (countsTurn ? 0 : end.bytes);
  return { seconds: own.seconds + runs * end.seconds, bytes, wanted, whole };
}

/** Adds a layout to a list unless it is there; returns whether it was added. */
function add(list: number[], layout: number): boolean {
  if (list.includes(layout)) return false;
  list.push(layout);
  return true;
}
