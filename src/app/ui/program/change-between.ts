import type { TextEdit } from "#core/diagnostics";

/**
 * The smallest replacement of one span that turns one text into another; undefined if they are
 * equal.
 */
export function changeBetween(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from: start, to: before.length - end, text: after.slice(start, after.length - end) };
}
