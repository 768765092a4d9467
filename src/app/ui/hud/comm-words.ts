import type { AxisTag } from "#app/scene";
import { type AxesSent, type Contributor, formatBytes, sentByAxes } from "#app/scene/text";

/**
 * A piece of the words about communication; names of axes stand before their bytes, in their hues.
 */
interface CommWord {
  readonly axes: readonly AxisTag[];
  readonly text: string;
}

/** The most letters that have room beside the number. */
const mostLetters = 34;

/**
 * The number of collectives of each kind; where that is too long, the bytes received over each set
 * of axes, and how many more sets there are.
 */
export function commWords(parts: readonly Contributor[]): readonly CommWord[] {
  const counts = countsText(parts);
  if (counts.length <= mostLetters) return [{ axes: [], text: counts }];
  const all = sentByAxes(parts);
  const named = [...all.keys()].findLast((at) => lengthOf(all, at + 1) <= mostLetters) ?? 0;
  const rest = all.length - named - 1;
  return [
    ...all.slice(0, named + 1).map(wordOf),
    ...(rest > 0 ? [{ axes: [], text: `${rest} more` }] : []),
  ];
}

/** `26 all-gather, 25 reduce-scatter`: collectives by kind, over all axes. */
export function countsText(parts: readonly Contributor[]): string {
  const counts = new Map<string, number>();
  for (const { collective, count } of parts) {
    counts.set(collective, (counts.get(collective) ?? 0) + count);
  }
  return [...counts].map(([collective, count]) => `${count} ${collective}`).join(", ");
}

/** The number of letters of the first `named` pieces, with the words for the others. */
function lengthOf(all: readonly AxesSent[], named: number): number {
  const words = all.slice(0, named).map(wordOf);
  const letters = words.map(({ axes, text }) => [...axes.map((axis) => axis.text), text].join(" "));
  return [...letters, ...(named < all.length ? ["9 more"] : [])].join(", ").length;
}

function wordOf({ axes, bytes }: AxesSent): CommWord {
  return { axes, text: formatBytes(bytes) };
}
