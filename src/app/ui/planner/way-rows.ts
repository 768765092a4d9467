import type { SplitOption } from "#app/engine";
import type { SplitOptionsStatus } from "#app/state/planning";

/** Cost by which a way falls behind the best one. */
export type WayDecided = "compute" | "communication" | "memory";

/** Way to split an operator, compared with the best one. */
export interface WayRow {
  readonly way: SplitOption;
  /** Seconds of the best plan with this way; absent if no plan has it. */
  readonly seconds?: number;
  readonly bytes?: number;
  /** Costs beyond those of the best way; `compute` and `communication` add up to `seconds`. */
  readonly more?: {
    readonly seconds: number;
    readonly compute: number;
    readonly communication: number;
    readonly bytes: number;
  };
  readonly isBest: boolean;
  /** Absent for the best way and for one of equal time and memory. */
  readonly decided?: WayDecided;
}

/**
 * Relative difference up to which two times are equal: sums in another order differ by rounding.
 */
const tolerance = 1e-9;

/**
 * Ways of an operator, fastest whole plan first, then by memory; ways without a plan last.
 * `decided` is the cost that grows most against the best way. It is memory if the way would be as
 * fast but does not fit, or is as fast and holds more.
 */
export function wayRows({ ways }: Pick<SplitOptionsStatus, "ways">): readonly WayRow[] {
  const sorted = [...ways].sort(
    (a, b) =>
      figureOf(a, "seconds") - figureOf(b, "seconds") ||
      figureOf(a, "bytes") - figureOf(b, "bytes"),
  );
  const [best] = sorted;
  return sorted.map((way, at) => rowOf(way, best, at === 0));
}

function rowOf(way: SplitOption, best: SplitOption | undefined, isFirst: boolean): WayRow {
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

/** Figure of a way; infinite if the way has no plan. */
function figureOf({ answer }: SplitOption, figure: "seconds" | "bytes"): number {
  return answer.kind === "planned" ? answer[figure] : Number.POSITIVE_INFINITY;
}
