/** So far back is looked sign by sign, which is enough for nearly every line. */
const usualLength = 256;

/**
 * Where the line of an offset begins, behind a line feed or a carriage return. A text whose lines
 * end otherwise than most must not be searched to its beginning for each of them.
 */
export function lineStartAt(text: string, at: number): number {
  for (let start = at; start > at - usualLength; start--) {
    if (start <= 0) return 0;
    const code = text.charCodeAt(start - 1);
    if (code === 10 || code === 13) return start;
  }
  const from = at - usualLength;
  return Math.max(text.lastIndexOf("\n", from - 1), text.lastIndexOf("\r", from - 1)) + 1;
}
