import type { Way } from "#app/engine";
import type { WaysStatus } from "#app/state/planning";

/** The kind of cost that makes a way worse than the best one. */
export type WayDecided = "compute" | "communication" | "memory";

/** A way beside the best one. */
export interface WayRow {
  readonly way: Way;
  /** Absent where no plan uses the way. */
  readonly seconds?: number;
  readonly bytes?: number;
  /** The costs beyond those of the best way; the two seconds add up to the difference. */
  readonly more?: {
    readonly seconds: number;
    readonly compute: number;
    readonly communication: number;
    readonly bytes: number;
  };
  readonly isBest: boolean;
  /** Absent for the best way, and for one of the same time and bytes. */
  readonly decided?: WayDecided;
}

/**
 * A relative difference below which two sums of the same costs are equal: they were added in
 * another order.
 */
const tolerance = 1e-9;

/**
 * The ways of an operator, the fastest whole plan first, of equal ones the leaner; those without a
 * plan last. What decides is the part that grows most against the best; memory where the same way
 * would be as fast as the best if it fitted, or where it takes as long and holds more.
 */
export function wayRows({ ways }: Pick<WaysStatus, "ways">): readonly WayRow[] {
  const sorted = [...ways].sort(
    (a, b) =>
      figureOf(a, "seconds") - figureOf(b, "seconds") ||
      figureOf(a, "bytes") - figureOf(b, "bytes"),
  );
  const [best] = sorted;
  return sorted.map((way, at) => rowOf(way, best, at === 0));
}

function rowOf(way: Way, best: Way | undefined, isFirst: boolean): WayRow {
  const { answer } = way;
  if (answer.kind !== "planned") {
    const isShort = answer.kind === "infeasible" && answer.leastBytes !== undefined;
    return { way, isBest: false, ...(isShort && { decided: "memory" }) };
  }
  const { seconds, bytes, computeSeconds, communicationSeconds, bound } = answer;
  const than = best?.answer.kind === "planned" ? best.answer : answer;
  const more = {
    seconds: seconds - than.seconds,
    compute: computeSeconds - than.computeSeconds,
    communication: communicationSeconds - than.communicationSeconds,
    bytes: bytes - than.bytes,
  };
  const isSame = Math.abs(more.seconds) <= tolerance * than.seconds;
  const wouldDo = bound > 0 && bound <= than.seconds * (1 + tolerance);
  const decided = isFirst ? undefined : decidedBy(more, isSame, wouldDo);
  return { way, seconds, bytes, more, isBest: isFirst, ...(decided !== undefined && { decided }) };
}

function decidedBy(
  more: NonNullable<WayRow["more"]>,
  isSame: boolean,
  wouldDo: boolean,
): WayDecided | undefined {
  if (isSame) return more.bytes > 0 ? "memory" : undefined;
  if (wouldDo) return "memory";
  return more.compute > more.communication ? "compute" : "communication";
}

/** A figure of a way; infinite if the way has no plan. */
function figureOf({ answer }: Way, figure: "seconds" | "bytes"): number {
  return answer.kind === "planned" ? answer[figure] : Number.POSITIVE_INFINITY;
}
