import { type Held, type UpdateRule, type Use, withoutPartials } from "./use.ts";
import type { PlannedValue } from "./values.ts";

/**
 * How often a step redistributes the gradient of a value: in every micro-batch. Only once, after
 * adding up, for a trained parameter whose readers make it in one layout, unless ZeRO keeps the sum
 * split (planner.md §6.3).
 */
export function gradientRuns(
  value: Pick<PlannedValue, "source" | "hasGradient">,
  { gradients }: Pick<Use, "gradients">,
  { zero, runs }: Pick<UpdateRule, "zero" | "runs">,
): number {
  return isTrained(value) && zero < 2 && isAlike(gradients) ? 1 : runs;
}

/** Seconds to add up a trained parameter's gradients of all micro-batches. */
export function accumulationSeconds(
  value: PlannedValue,
  { source, gradients }: Pick<Use, "source" | "gradients">,
  { update }: Pick<Held, "update">,
  { zero, runs, pricing }: UpdateRule,
): number {
  const [made] = gradients;
  if (runs === 1 || !isTrained(value) || made === undefined) return 0;
  const { routes } = value;
  const whole = withoutPartials(value, source);
  const lies = !isAlike(gradients) ? whole : zero >= 2 ? update : made;
  return runs * pricing.accumulateSeconds(routes.localBytes(lies));
}

/**
 * Seconds to redistribute one gradient to the wanted layout, and to add up those of all
 * micro-batches.
 */
export function combinedSeconds(
  value: PlannedValue,
  rule: UpdateRule,
  { source, from, wanted }: { source: number; from: number; wanted: number },
): number {
  const use = { source, gradients: [from] };
  const moved = from === wanted ? 0 : value.routes.bound(from, wanted);
  const added = rule.runs === 1 ? 0 : accumulationSeconds(value, use, { update: source }, rule);
  return gradientRuns(value, use, rule) * moved + added;
}

/**
 * Whether the cost of a value's gradients is no sum of costs per reader: several readers make them,
 * and they are summed over micro-batches.
 */
export function isSummedOverRuns(value: PlannedValue, { runs }: UpdateRule): boolean {
  return runs > 1 && isTrained(value) && value.readers.length > 1;
}

function isTrained({ source, hasGradient }: Pick<PlannedValue, "source" | "hasGradient">): boolean {
  return source.kind === "rest" && hasGradient;
}

function isAlike(gradients: readonly number[]): boolean {
  return gradients.every((each) => each === gradients[0]);
}
