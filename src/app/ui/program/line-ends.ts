import type { Span } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";

/** A text, and the same text as an editor holds it, where every line end is `\n`. */
export interface LineEnds {
  readonly source: string;
  readonly shown: string;
  /** The offset in `source` of each `\r` before a `\n`, which `shown` lacks. */
  readonly left: readonly number[];
}

/** A text for an editor. */
export function lineEndsOf(source: string): LineEnds {
  if (!source.includes("\r")) return { source, shown: source, left: [] };
  const left = [...source.matchAll(/\r\n/g)].map(({ index }) => index);
  return { source, shown: source.replace(/\r\n?/g, "\n"), left };
}

/** An offset of the source as an offset of the editor's text. */
export function toShown({ left }: LineEnds, offset: number): number {
  return offset - countBelow(left.length, (at) => (left[at] ?? 0) < offset);
}

/**
 * An offset of the editor's text in the source; at the end of a line the one before both characters
 * of the line end.
 */
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
 * The source after an edit in the editor: unchanged lines keep their line ends, new ones get those
 * of the first line. A pasted text that replaces everything keeps its own.
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
  // Two line ends that now touch would be read as one.
  return lineEndsOf(after).shown === shown ? after : shown;
}

/**
 * The number of integers from 0 on that satisfy a condition which holds for the first ones only, by
 * binary search; at most `most`.
 */
function countBelow(most: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
