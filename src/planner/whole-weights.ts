import { PlainWeight } from "./plain-weight.ts";
import type { UpdateRule, Use } from "./use.ts";
import { covered, type Uncovered, uncoveredBound } from "./value-cost.ts";
import type { PlannedValue } from "./values.ts";
import type { Weights } from "./weights.ts";

/** Uses of a value by one unknown. */
interface Side {
  readonly uses: readonly Partial<Use>[];
  /**
   * Kind of each use: equal for uses that differ at most in the work overlapping with the value's
   * traffic.
   */
  readonly kinds: Int32Array;
  /** The number of different kinds. */
  readonly count: number;
  /** Seconds of work that overlaps with the value's traffic, per use. */
  readonly forward: Float64Array;
  readonly backward: Float64Array;
}

/**
 * Weighs values at rest whose readers' costs are not additive: each case is computed as a whole.
 * Cases that differ only in overlapping work have one computation.
 */
export class WholeWeighing {
  private readonly value: PlannedValue;
  private readonly rule: UpdateRule;
  private readonly sides: readonly Side[];
  private readonly weights: Weights;
  /**
   * The quick way for a weight that ZeRO does not split, which has hundreds of thousands of cases.
   */
  private readonly plain: PlainWeight | undefined;
  /** The uses chosen on the levels above. */
  private readonly chosen: Partial<Use>[] = [];
  /** Cost of a case by the kinds of its uses, before overlap. */
  private readonly known = new Map<number, Uncovered>();
  private at = 0;

  constructor(
    value: PlannedValue,
    sides: readonly (readonly Partial<Use>[])[],
    rule: UpdateRule,
    weights: Weights,
  ) {
    this.value = value;
    this.rule = rule;
    this.weights = weights;
    this.sides = sides.map(sideOf);
    const isPlain = rule.zero === 0 && value.tensor.role === "parameter";
    this.plain = isPlain ? new PlainWeight(value, rule) : undefined;
  }

  run(): void {
    this.descend(0, 0, 0, 0);
  }

  private descend(level: number, name: number, forward: number, backward: number): void {
    const side = this.sides[level];
    if (side === undefined) {
      this.finish(name, forward, backward);
      return;
    }
    const { uses, kinds, count } = side;
    for (let use = 0; use < uses.length; use += 1) {
      this.chosen[level] = uses[use] as Partial<Use>;
      this.descend(
        level + 1,
        name * count + (kinds[use] as number),
        forward + (side.forward[use] as number),
        backward + (side.backward[use] as number),
      );
    }
  }

  private finish(name: number, forward: number, backward: number): void {
    const { weights, at, known } = this;
    let own = known.get(name);
    if (own === undefined) {
      own = this.plain?.uncovered(this.chosen) ?? uncoveredBound(this.value, this.use(), this.rule);
      known.set(name, own);
    }
    const { seconds, bytes } = covered(this.value, own, { forward, backward });
    weights.seconds[at] = seconds;
    weights.bytes[at] = bytes;
    this.at += 1;
  }

  /** The use of the value by all chosen uses; the first of them gives its layout at rest. */
  private use(): Use {
    const { chosen } = this;
    return {
      source: chosen[0]?.source ?? 0,
      reads: chosen.flatMap(({ reads = [] }) => reads),
      gradients: chosen.flatMap(({ gradients = [] }) => gradients),
      again: chosen.flatMap(({ again = [] }) => again),
      holds: chosen.flatMap(({ holds = [] }) => holds),
    };
  }
}

function sideOf(uses: readonly Partial<Use>[]): Side {
  const numbers = new Map<string, number>();
  const kinds = Int32Array.from(uses, ({ source, reads, gradients, again, holds }) => {
    const name = `${source}|${reads}|${gradients}|${again}|${holds}`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  return {
    uses,
    kinds,
    count: numbers.size,
    forward: Float64Array.from(uses, ({ cover }) => cover?.forward ?? 0),
    backward: Float64Array.from(uses, ({ cover }) => cover?.backward ?? 0),
  };
}
