import type { Planned, WhatIf } from "#app/engine";
import { formatSeconds } from "#app/scene/text";
import { optimalityGap } from "#core/cost";

/** Relative tolerance: sums of the same costs in another order differ by less. */
const tolerance = 1e-9;

/** The proof of a search, with the restriction of its plan space. */
type Proof = Pick<Planned, "seconds" | "bound" | "joined" | "isOutside">;

/** Whether the search has proven that no plan in its space is faster. */
export function isProven(planned: Proof): boolean {
  return optimalityGap(planned) === 0 && planned.isOutside !== true;
}

/** The optimality proof of a plan as a sentence, without a full stop. */
export function provenSentence(planned: Proof, isStopped = false): string {
  if (isStopped && optimalityGap(planned) > 0) {
    return `Stopped before the proof: a plan may be faster ${upToText(planned)}`;
  }
  if (planned.isOutside === true) {
    return "Your plan beats every one that the planner looks at: it cuts in ways of its own";
  }
  if (isProven(planned)) {
    return "Proven: under this model no even cut by whole axes is faster";
  }
  return `A faster plan may exist: ${upToText(planned)}`;
}

function upToText({ joined, ...planned }: Proof): string {
  const groups = (joined ?? []).map((axes) => axes.join("*")).join(", ");
  const why =
    joined === undefined
      ? ""
      : `; all strategies on this mesh are too many to weigh, so those were that cut by ${groups}`;
  if (planned.bound === 0) return `by how much is not known${why}`;
  const percent = (100 * optimalityGap(planned)).toPrecision(2);
  return `by ${percent} % at most under this model${why}`;
}

/**
 * The speed-up over the text's own plan: `1.63× as fast as yours`; below a tenth, `0.4 % less time
 * than yours`.
 */
export function gainText({ before, seconds }: Pick<Planned, "before" | "seconds">): string {
  if (Math.abs(before - seconds) <= tolerance * seconds) return "as fast as yours";
  if (seconds === 0) return "nothing takes time any more";
  const ratio = before / seconds;
  if (ratio < 1) return `slower than yours by ${formatSeconds(seconds - before)}`;
  if (ratio < 1.1) return `${(100 * (1 - 1 / ratio)).toPrecision(2)} % less time than yours`;
  return `${ratio < 1000 ? ratio.toPrecision(3) : ratio.toFixed(0)}× as fast as yours`;
}

/** The result of a search, for screen readers. */
export function plannedSentence(planned: Planned, isStopped = false): string {
  const { before, seconds } = planned;
  const time = `${formatSeconds(before)} to ${formatSeconds(seconds)}`;
  return `A plan: ${time}, ${gainText(planned)}. ${provenSentence(planned, isStopped)}.`;
}

/**
 * The label of an applied plan in the log; if parts are left out, with the time of the remaining
 * plan.
 */
export function planLabel({ seconds }: Pick<Planned, "seconds">, isInPart = false): string {
  return `${isInPart ? "Part of a plan" : "Plan"} of ${formatSeconds(seconds)}`;
}

/** The names of operators that two plans of one text shard differently. */
export function differingOperators(
  { changes: before }: Pick<Planned, "changes">,
  { changes: after }: Pick<Planned, "changes">,
): readonly string[] {
  const keysOf = (changes: Planned["changes"]) =>
    new Set(changes.map(({ name, after: cuts }) => JSON.stringify([name, cuts])));
  const [known, fresh] = [keysOf(before), keysOf(after)];
  const rows = [...before, ...after].filter(({ name, after: cuts }) => {
    const key = JSON.stringify([name, cuts]);
    return !known.has(key) || !fresh.has(key);
  });
  return [...new Set(rows.map(({ name }) => name))];
}

/**
 * The what-if values as text: `B 64, links 2× as fast`; empty if no value differs from the text.
 */
export function whatIfText({ bandwidth = 1, sizes = {}, free = [] }: WhatIf): string {
  const links = bandwidth === 1 ? [] : [`links ${timesText(bandwidth)} as fast`];
  const moved = free.length === 0 ? [] : ["what place(…) says moved too"];
  const tried = Object.entries(sizes).map(([kind, size]) => `${kind} ${size}`);
  return [...tried, ...links, ...moved].join(", ");
}

/** A factor as text: `2×`; `1/4×` if its reciprocal is whole; else with three digits. */
export function timesText(factor: number): string {
  if (factor < 1 && Number.isInteger(1 / factor)) return `1/${1 / factor}×`;
  return `${Number(factor.toPrecision(3))}×`;
}
