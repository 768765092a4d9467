import type { Span } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";

/** Source text and the text in an editor, where every line end is `\n`. */
export interface LineEnds {
  readonly source: string;
  readonly shown: string;
  /** Offsets in `source` of each `\r` before an `\n`, which `shown` lacks. */
  readonly left: readonly number[];
}

/** Text for an editor, with every line end converted to `\n`. */
export function lineEndsOf(source: string): LineEnds {
  if (!source.includes("\r")) return { source, shown: source, left: [] };
  const left = [...source.matchAll(/\r\n/g)].map(({ index }) => index);
  return { source, shown: source.replace(/\r\n?/g, "\n"), left };
}

/** Offset in the editor for an offset in the source. */
export function toShown({ left }: LineEnds, offset: number): number {
  return offset - countBelow(left.length, (at) => (left[at] ?? 0) < offset);
}

/** Offset in the source for an offset in the editor; at a line end the one before `\r\n`. */
export function toSource({ left }: LineEnds, offset: number): number {
  return offset + countBelow(left.length, (at) => (left[at] ?? 0) - at < offset);
}

export function spanToShown(ends: LineEnds, { from, to }: Span): Span {
  return { from: toShown(ends, from), to: toShown(ends, to) };
}

function spanToSource(ends: LineEnds, { from, to }: Span): Span {
  return { from: toSource(ends, from), to: toSource(ends, to) };
}

/**
 * Source after an edit in the editor: untouched line ends are kept, new ones are like the first
 * line's. A text pasted over everything, or into an empty one, keeps its own.
 */
export function edited(ends: LineEnds, shown: string, pasted: string | undefined): string {
  const { source } = ends;
  if (pasted !== undefined && lineEndsOf(pasted).shown === shown) return pasted;
  if (!source.includes("\r")) return shown;
  const change = changeBetween(ends.shown, shown);
  if (change === undefined) return source;
  const end = /\r\n|\r|\n/.exec(source)?.[0] ?? "\n";
  const { from, to } = spanToSource(ends, change);
  const after = source.slice(0, from) + change.text.replaceAll("\n", end) + source.slice(to);
  // A `\r` and an `\n` that the edit made adjacent would become one line end.
  return lineEndsOf(after).shown === shown ? after : shown;
}

/** Number of leading integers from 0 for which a monotone condition holds (binary search). */
function countBelow(most: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
