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
 * The note that the figures of the parts do not add up to their joint effect: each is compared with
 * the plan without that part alone, and two parts may save the same, or a part nothing alone.
 *
 * @param before seconds of the text that is planned
 * @returns undefined as long as a chosen part has no figure
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
