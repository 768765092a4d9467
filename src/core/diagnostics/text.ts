import type { TextEdit } from "./diagnostic.ts";

/** Line and column of a place in a text, both from 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column of an offset of a text. */
export function positionAt(text: string, offset: number): Position {
  return positionsIn(text)(offset);
}

/**
 * A function from an offset of a text to its line and column, both from 1. Lines end with a line
 * feed, a carriage return, or both, and are found once for all offsets.
 */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  for (const end of text.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length);
  return (offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** The index of the last number that is at most as large as another; numbers ascend from 0. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Applies edits that do not overlap; each refers to the text before any of them. In a text whose
 * first line ends with `\r\n` the lines of an edit end so too.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const end = text.indexOf("\n");
  const isReturned = end > 0 && text[end - 1] === "\r";
  const written = (edit: TextEdit) =>
    isReturned ? edit.text.replace(/\r?\n/g, "\r\n") : edit.text;
  const ordered = [...edits].sort((a, b) => b.from - a.from || b.to - a.to);
  return ordered.reduce(
    (done, edit) => done.slice(0, edit.from) + written(edit) + done.slice(edit.to),
    text,
  );
}
