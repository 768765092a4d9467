import type { MixedPlan } from "#app/engine";
import { formatSecondsDelta } from "#app/scene/text";
import type { PartsStatus } from "#app/state/planning";
import { sum } from "#core/arithmetic";

type Weighed = Pick<PartsStatus, "parts" | "left" | "effects"> & {
  readonly mixed?: Pick<MixedPlan, "seconds">;
};

/** Below this share of it the figures of the parts are taken for a sum of the whole. */
const nearEnough = 0.01;

/**
 * That the figures of the parts do not add up to what they bring together, where they do not: each is
 * held against the plan without that part alone, and parts may save the same twice, or nothing alone.
 *
 * @param before seconds of the text that is planned
 * @returns nothing as long as a part that is taken has no figure
 */
export function togetherText(
  { parts, left, effects, mixed }: Weighed,
  before: number,
): string | undefined {
  const taken = parts.filter(({ key }) => !left.has(key)).map(({ key }) => effects.get(key));
  if (mixed === undefined || taken.length < 2) return undefined;
  const seconds = taken.flatMap((effect) => (effect === undefined ? [] : [effect.seconds]));
  if (seconds.length < taken.length) return undefined;
  const total = sum(seconds);
  const together = mixed.seconds - before;
  if (Math.abs(total - together) <= nearEnough * Math.abs(together)) return undefined;
  return `Each time is against the plan without that part alone, so they do not add up: together they make ${formatSecondsDelta(together)}.`;
}
