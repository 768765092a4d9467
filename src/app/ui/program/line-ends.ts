import type { Span } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";

/** A text beside the same one as editors hold it: every end of a line is `\n` there. */
export interface LineEnds {
  readonly source: string;
  readonly shown: string;
  /** The place in `source` of each `\r` that stands before an `\n`, and so not in `shown`. */
  readonly left: readonly number[];
}

/** A text for an editor. */
export function lineEndsOf(source: string): LineEnds {
  if (!source.includes("\r")) return { source, shown: source, left: [] };
  const left = [...source.matchAll(/\r\n/g)].map(({ index }) => index);
  return { source, shown: source.replace(/\r\n?/g, "\n"), left };
}

/** A place of the source as the editor counts it. */
export function toShown({ left }: LineEnds, offset: number): number {
  return offset - countBelow(left.length, (at) => (left[at] ?? 0) < offset);
}

/** A place of the editor in the source; at the end of a line the one before both its characters. */
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
 * The source after an edit in the editor: what was not touched keeps its line ends, what is new gets
 * those of the first line. A text that is pasted in place of all, or into nothing, keeps its own.
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
  // Ends that were apart and now stand together would be one.
  return lineEndsOf(after).shown === shown ? after : shown;
}

/** How many numbers from 0 on a condition holds for that holds for no number behind one it fails. */
function countBelow(most: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
