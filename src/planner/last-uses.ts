import { combinedSeconds } from "./run-counts.ts";
import { type UpdateRule, type Use, withoutPartials } from "./use.ts";
import { heldBytes } from "./value-cost.ts";
import type { PlannedValue } from "./values.ts";

/** The layouts of each use of the last side, and their costs. */
export interface LastUses {
  /** 1 where a use reads or makes more than one layout. */
  readonly isOther: Uint8Array;
  readonly reads: Int32Array;
  readonly readSeconds: Float64Array;
  readonly readBytes: Float64Array;
  /** The layout that it keeps; -1 where it keeps none, or where kept bytes are not counted. */
  readonly holds: Int32Array;
  readonly holdBytes: Float64Array;
  /** -1 where it makes no gradient. */
  readonly gradients: Int32Array;
  /** Seconds to redistribute its gradient, and to add it to another one in the same layout. */
  readonly gradientSeconds: Float64Array;
  readonly addSeconds: Float64Array;
}

/** The cost that each use of the last side adds if no earlier reader wants its layouts. */
export function lastUses(
  value: PlannedValue,
  uses: readonly Partial<Use>[],
  rule: UpdateRule,
  source: number,
): LastUses {
  const { routes, hasGradient } = value;
  const { pricing, runs, countsTurn } = rule;
  const wanted = hasGradient ? withoutPartials({ routes }, source) : source;
  const last = emptyUses(uses.length);
  for (let at = 0; at < uses.length; at += 1) {
    const { reads = none, gradients = none, again = none, holds = none } = uses[at] ?? {};
    const most = Math.max(reads.length, gradients.length, holds.length);
    if (most > 1 || again.length > 0) last.isOther[at] = 1;
    const [held = -1] = holds;
    last.holds[at] = countsTurn ? held : -1;
    if (countsTurn && held >= 0) last.holdBytes[at] = heldBytes(value, [held], source);
    const [to = -1] = reads;
    last.reads[at] = to;
    if (to >= 0 && to !== source) {
      last.readSeconds[at] = runs * routes.bound(source, to);
      last.readBytes[at] = countsTurn ? 0 : routes.localBytes(to);
    }
    const from = hasGradient ? (gradients[0] ?? -1) : -1;
    last.gradients[at] = from;
    if (from < 0) continue;
    last.addSeconds[at] = runs * pricing.addSeconds(routes.localBytes(from));
    last.gradientSeconds[at] = combinedSeconds(value, rule, { source, from, wanted });
  }
  return last;
}

const none: readonly number[] = [];

function emptyUses(count: number): LastUses {
  return {
    isOther: new Uint8Array(count),
    reads: new Int32Array(count),
    readSeconds: new Float64Array(count),
    readBytes: new Float64Array(count),
    holds: new Int32Array(count),
    holdBytes: new Float64Array(count),
    gradients: new Int32Array(count),
    gradientSeconds: new Float64Array(count),
    addSeconds: new Float64Array(count),
  };
}
