import { formatSeconds } from "#app/scene/text";
import type { Cost } from "#core/cost";
import type { PlanSentence } from "#planner";

/**
 * Sentence on the share of a plan's time that waits for the network, and the collective that takes
 * most.
 */
export function timeSentence({
  seconds,
  communicationSeconds,
  exposedSeconds,
  collectives,
}: Pick<
  Cost,
  "seconds" | "communicationSeconds" | "exposedSeconds" | "collectives"
>): PlanSentence {
  if (!Number.isFinite(seconds)) return ["How long it takes is not known."];
  if (communicationSeconds === 0) return ["Nothing is sent."];
  const waited = exposedSeconds === 0 ? "nothing" : formatSeconds(exposedSeconds);
  const [largest] = [...collectives].sort((a, b) => b.seconds - a.seconds);
  const all = collectives.reduce((sum, each) => sum + each.seconds, 0);
  const head = [
    `The network is busy for ${formatSeconds(communicationSeconds)} of ${formatSeconds(seconds)}, `,
    { strong: `${waited} exposed` },
  ];
  if (largest === undefined || all === 0) return [...head, "."];
  const over = largest.axes.flatMap(
    (axis, at): PlanSentence => [at === 0 ? " over " : ", ", { axis }],
  );
  return [...head, `; ${partText(largest.seconds / all)} the ${largest.collective}`, ...over, "."];
}

function partText(part: number): string {
  if (part > 0.999) return "all of it is";
  if (part >= 0.9) return "nearly all of it is";
  if (part >= 0.5) return `most of it, ${Math.round(100 * part)} %, is`;
  return `the largest share, ${Math.round(100 * part)} %, is`;
}
