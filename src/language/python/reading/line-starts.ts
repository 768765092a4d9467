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

/** Line numbers, from 1, of offsets in a text; each answer takes a binary search. */
export function lineNumbers(text: string): (offset: number) => number {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= startsOf(text);
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function startsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** What stands before a place on its line. */
export function marginAt(text: string, at: number): string {
  const before = text.slice(lineStartAt(text, at), at);
  // A bracket that is taken out may stand before the first token.
  return before === "" ? before : before.replace(/[\ufeff\f]|[)\]}].*/gs, "");
}

/** How far in white space leads, tabs as Python counts them. */
export function widthOf(space: string): number {
  let width = 0;
  for (const character of space) width += character === "\t" ? 8 - (width % 8) : 1;
  return width;
}
