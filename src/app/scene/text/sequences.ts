import type { EdgeComparison, PolicyOutcome } from "#compile";
import { joinWithAnd } from "#core/diagnostics";
import { formatBytes, formatSeconds } from "./numbers.ts";

/**
 * A quantity relative to ours: `×1.43 bytes`; `undefined` if both are equal to three digits, or
 * ours is 0.
 */
export function ratioText(theirs: number, ours: number, quantity: string): string | undefined {
  if (ours <= 0) return undefined;
  const ratio = Number((theirs / ours).toPrecision(3));
  return ratio === 1 ? undefined : `×${ratio} ${quantity}`;
}

type Planned = Extract<PolicyOutcome, { readonly kind: "planned" }>;

/**
 * The systems that the model predicts to be faster than ours on an edge, fastest first, and the
 * tensor size from which ours is faster; `undefined` if no system is faster.
 */
export function fasterText({ ours, outcomes, tensorBytes }: EdgeComparison): string | undefined {
  const own = ours.find(({ isDefault }) => isDefault);
  const faster = outcomes
    .flatMap((outcome) => (outcome.kind === "planned" && outcome.faster ? [outcome] : []))
    .toSorted((a, b) => a.seconds - b.seconds);
  const [first] = faster;
  if (own === undefined || first === undefined) return undefined;
  const names = joinWithAnd(faster.map(({ title }) => title));
  const are = faster.length === 1 ? "is" : "are";
  const times = `${formatSeconds(first.seconds)}, ours ${formatSeconds(own.seconds)}`;
  const here = `${names} ${are} faster by the model for this tensor of ${formatBytes(tensorBytes)}: ${times}.`;
  const until = Math.max(...faster.map((each) => each.faster?.until ?? 0));
  const rest = Number.isFinite(until)
    ? [`Ours is faster from ${sizeText(until, Math.ceil)} on.`]
    : faster.map((each) => `${each.title}: ${crossoverText(each) ?? ""}`);
  return [here, ...rest].join(" ");
}

/**
 * The tensor sizes at which ours is faster than a faster system: `Ours is faster from 3.2 MB on.`;
 * `undefined` if the system is not faster.
 */
export function crossoverText({ faster }: Planned): string | undefined {
  if (faster === undefined) return undefined;
  const { above, until } = faster;
  const below = above > 0 ? sizeText(above, Math.floor) : undefined;
  if (Number.isFinite(until)) {
    const small = below === undefined ? "" : `, and below ${below}`;
    return `Ours is faster from ${sizeText(until, Math.ceil)} on${small}.`;
  }
  return below === undefined ? "It is faster at every size." : `Ours is faster below ${below}.`;
}

/** A size to three digits, rounded in the direction that keeps the sentence true. */
function sizeText(bytes: number, round: (value: number) => number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1))) - 2);
  return formatBytes(round(bytes / unit) * unit);
}
