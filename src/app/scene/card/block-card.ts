import type { BlockStack, RedistributionBadge, RunHead } from "../graph/canvas.ts";
import { type Card, row, rowsCard, words } from "./card.ts";

/**
 * The card of a stack of equal blocks: their label, the contents of one, the bytes of all, `×24`.
 */
export function stackCard({ label, count, each, all }: BlockStack): Card {
  const rows = [row(words("name", label)), row(words("detail", each)), row(words("detail", all))];
  const times = countText(count);
  return { rows, beside: times === undefined ? [] : [words("count", times)] };
}

/** `×24`; `undefined` for a single block. */
export function countText(count: number): string | undefined {
  return count > 1 ? `×${count}` : undefined;
}

/** The head of an open block: `layers[2]` with `3 of 24 equal blocks`, or with its difference. */
export function runCard({ label, place, count, differsBy }: RunHead): Card {
  const detail =
    differsBy === undefined
      ? `${place} of ${count} equal blocks`
      : `· ${differenceText(differsBy)}`;
  return rowsCard(row(words("name", label), words("detail", detail)));
}

/**
 * The difference of an open block from the equal ones, with at most three operators' names:
 * `differs from the rest by h, o`. Without names it differs in the tensors that it reads.
 */
export function differenceText(differsBy: readonly string[]): string {
  const shown = differsBy.slice(0, 3).join(", ");
  const more = differsBy.length > 3 ? ` and ${differsBy.length - 3} more` : "";
  return differsBy.length === 0
    ? "differs in what it reads"
    : `differs from the rest by ${shown}${more}`;
}

/**
 * The card of a redistribution's badge: each collective with its axes, then bytes and time unless
 * `isShort`.
 */
export function badgeCard({ of, steps, numbers }: RedistributionBadge, isShort: boolean): Card {
  const start = [
    ...(of === undefined ? [] : [words("of", of)]),
    ...steps.map((step) => ({ kind: "step", ...step }) as const),
  ];
  return rowsCard({ start, end: isShort ? [] : [words("numbers", numbers)] });
}

/** The card at the end of the line that leaves a final redistribution: `result y`. */
export function resultCard(name: string): Card {
  return rowsCard(row(words("result", `result ${name}`)));
}
