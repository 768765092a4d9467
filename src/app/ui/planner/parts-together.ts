import type { MixedPlan } from "#app/engine";
import { formatSecondsDelta } from "#app/scene/text";
import type { PartsStatus } from "#app/state/planning";
import { sum } from "#core/arithmetic";

type Weighed = Pick<PartsStatus, "parts" | "left" | "effects"> & {
  readonly mixed?: Pick<MixedPlan, "seconds">;
};

/** Relative difference up to which the effects of the parts count as adding up. */
const nearEnough = 0.01;

/**
 * Note that the effects of the parts do not add up to their joint effect. Each is relative to the
 * plan without that part alone: two parts may save the same time, or one part nothing alone.
 *
 * @param before seconds of the text that was planned
 * @returns undefined if the effects add up, there are fewer than two, or one is not computed yet
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
