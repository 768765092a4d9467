import { combinedSeconds, gradientRuns } from "./run-counts.ts";
import { type UpdateRule, type Use, withoutPartials } from "./use.ts";
import type { PlannedValue } from "./values.ts";

/**
 * The layouts of each use of the last side, and their costs from one layout of the value, which
 * changes from pass to pass while the uses stay.
 */
export class LastUses {
  /** 1 for a use that reads or makes more than one layout. */
  readonly isOther: Uint8Array;
  readonly reads: Int32Array;
  readonly readSeconds: Float64Array;
  readonly readBytes: Float64Array;
  /** The layout that it keeps; -1 if it keeps none, or kept bytes are not counted. */
  readonly holds: Int32Array;
  readonly holdBytes: Float64Array;
  /** The layout of its gradient; -1 without one. */
  readonly gradients: Int32Array;
  /** Seconds to redistribute its gradient, and to add it to another one in the same layout. */
  readonly gradientSeconds: Float64Array;
  readonly addSeconds: Float64Array;
  private readonly value: PlannedValue;
  private readonly rule: UpdateRule;
  /** Number of redistributions of a reader's gradient. */
  private readonly times: number;
  private source = -1;

  constructor(value: PlannedValue, uses: readonly Partial<Use>[], rule: UpdateRule) {
    this.value = value;
    this.rule = rule;
    this.times = gradientRuns(value, { gradients: [] }, rule);
    const count = uses.length;
    this.isOther = new Uint8Array(count);
    this.reads = new Int32Array(count);
    this.readSeconds = new Float64Array(count);
    this.readBytes = new Float64Array(count);
    this.holds = new Int32Array(count);
    this.holdBytes = new Float64Array(count);
    this.gradients = new Int32Array(count);
    this.gradientSeconds = new Float64Array(count);
    this.addSeconds = new Float64Array(count);
    for (let at = 0; at < count; at += 1) this.look(at, uses[at] ?? {});
  }

  /** Computes the costs from a layout of the value, if no earlier reader wants the same layouts. */
  beside(source: number): void {
    if (this.source === source) return;
    this.source = source;
    const { reads, holds, gradients, rule, value } = this;
    const { routes, hasGradient } = value;
    const { runs, countsTurn } = rule;
    const isStored = value.source.kind === "rest";
    const wanted = hasGradient ? withoutPartials({ routes }, source) : source;
    for (let at = 0; at < reads.length; at += 1) {
      const to = reads[at] as number;
      const isMoved = to >= 0 && to !== source;
      this.readSeconds[at] = isMoved ? runs * routes.bound(source, to) : 0;
      this.readBytes[at] = isMoved && !countsTurn ? routes.localBytes(to) : 0;
      const held = holds[at] as number;
      const isHeld = held >= 0 && !(isStored && held === source);
      this.holdBytes[at] = isHeld ? routes.localBytes(held) : 0;
      const from = gradients[at] as number;
      if (from >= 0) this.gradientSeconds[at] = this.moved(source, from, wanted);
    }
  }

  private moved(source: number, from: number, wanted: number): number {
    const { value, rule, times } = this;
    if (rule.runs > 1) return combinedSeconds(value, rule, { source, from, wanted });
    return from === wanted ? 0 : times * value.routes.bound(from, wanted);
  }

  private look(
    at: number,
    { reads = none, gradients = none, again = none, holds = none }: Partial<Use>,
  ): void {
    const { value, rule } = this;
    const { pricing, runs, countsTurn } = rule;
    const most = Math.max(reads.length, gradients.length, holds.length);
    if (most > 1 || again.length > 0) this.isOther[at] = 1;
    this.reads[at] = reads[0] ?? -1;
    this.holds[at] = countsTurn ? (holds[0] ?? -1) : -1;
    const from = value.hasGradient ? (gradients[0] ?? -1) : -1;
    this.gradients[at] = from;
    if (from >= 0) this.addSeconds[at] = runs * pricing.addSeconds(value.routes.localBytes(from));
  }
}

const none: readonly number[] = [];
