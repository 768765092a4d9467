import type { ColouredRun } from "./token-lines.ts";

/**
 * The edited range of a text, as offsets of the present text, and the number of characters added.
 */
export interface Touched {
  readonly from: number;
  readonly to: number;
  readonly grown: number;
}

/** One replacement: its start, the removed length, the added length. */
interface Replacement {
  readonly from: number;
  readonly removed: number;
  readonly added: number;
}

/** The edited range after one more edit. */
export function touchedBy(before: Touched | undefined, edit: Replacement): Touched {
  const end = edit.from + edit.removed;
  const grown = edit.added - edit.removed;
  const stop = edit.from + edit.added;
  if (before === undefined) return { from: edit.from, to: stop, grown };
  return {
    from: Math.min(before.from, edit.from),
    to: Math.max(before.to >= end ? before.to + grown : stop, stop),
    grown: before.grown + grown,
  };
}

/**
 * How many runs from the first on, and up to the last, are equal to those before and outside of the
 * edited range: those move with the text and need no new colour.
 */
export function keptRuns(
  before: readonly ColouredRun[],
  after: readonly ColouredRun[],
  touched: Touched | undefined,
): { readonly first: number; readonly last: number } {
  const { from, to, grown } = touched ?? { from: Number.POSITIVE_INFINITY, to: -1, grown: 0 };
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter) {
    const run = after[first];
    if (run === undefined || run.to >= from || !isSame(before[first], run, 0)) break;
    first += 1;
  }
  let last = 0;
  while (last < shorter - first) {
    const run = after[after.length - 1 - last];
    const old = before[before.length - 1 - last];
    if (run === undefined || run.from <= to || !isSame(old, run, grown)) break;
    last += 1;
  }
  return { first, last };
}

function isSame(before: ColouredRun | undefined, after: ColouredRun, grown: number): boolean {
  return (
    before?.from === after.from - grown &&
    before.to === after.to - grown &&
    before.kind === after.kind &&
    before.hue === after.hue
  );
}
