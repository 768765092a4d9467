import type { PlanAnswer } from "#app/engine";
import { formatSeconds } from "#app/scene";

type Planned = Extract<PlanAnswer, { kind: "planned" }>;

/** Two sums of the same costs in another order differ by less than this. */
const tolerance = 1e-9;

/** By what part of the plan's time a plan might still be faster; 0 where none is. */
export function gapOf({ seconds, bound }: Planned): number {
  const gap = seconds === 0 ? 0 : (seconds - bound) / seconds;
  return gap > tolerance ? gap : 0;
}

/** How far it is proven. */
export function provenSentence(planned: Planned): string {
  const gap = gapOf(planned);
  if (gap === 0) return "Proven: no plan under this model is faster";
  return `A faster plan may exist: by ${(100 * gap).toPrecision(2)} % at most under this model`;
}

/** How many times as fast as the text's own plan; 1 where that is as fast. */
function ratioOf({ before, seconds }: Planned): number | undefined {
  if (before === undefined || !(seconds > 0)) return undefined;
  const ratio = before / seconds;
  return Math.abs(ratio - 1) <= tolerance ? 1 : ratio;
}

/** What the plan gains, in words: `1.63× as fast`. */
export function gainText(planned: Planned): string {
  const ratio = ratioOf(planned);
  if (ratio === undefined) return "";
  if (ratio === 1) return "as fast as yours";
  return `${ratio < 1000 ? ratio.toPrecision(3) : ratio.toFixed(0)}× as fast as yours`;
}

/** What was found, for who listens. */
export function plannedSentence(planned: Planned): string {
  const { before, seconds, model } = planned;
  const gain = gainText(planned);
  const time = `${before === undefined ? "" : `${formatSeconds(before)} to `}${formatSeconds(seconds)}`;
  return `A plan of ${time}${gain === "" ? "" : `, ${gain}`}, under the model ${model}. ${provenSentence(planned)}.`;
}

/** The entry of the log. */
export function planLabel(planned: Planned): string {
  return `Plan of ${formatSeconds(planned.seconds)}`;
}
