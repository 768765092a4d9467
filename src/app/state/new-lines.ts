import type { Span } from "#core/diagnostics";

/**
 * The lines that an edit wrote, consecutive lines as one span: lines that equal no earlier line,
 * outside the common beginning and end of both texts. A text of which no line remains counts as
 * replaced; the result is then empty.
 */
export function newLines(before: string, after: string): readonly Span[] {
  const [old, lines] = [before.split("\n"), after.split("\n")];
  const most = Math.min(old.length, lines.length);
  let start = 0;
  while (start < most && old[start] === lines[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === lines.at(-1 - end)) end += 1;
  const known = new Map<string, number>();
  for (const line of old.slice(start, old.length - end))
    known.set(line, (known.get(line) ?? 0) + 1);
  const isNew = lines.map((line, at) => {
    if (at < start || at >= lines.length - end || line.trim() === "") return false;
    const count = known.get(line) ?? 0;
    known.set(line, count - 1);
    return count <= 0;
  });
  const isReplaced = isNew.every((each, at) => each || lines[at]?.trim() === "");
  return isReplaced ? [] : spansOf(lines, isNew);
}

function spansOf(lines: readonly string[], isNew: readonly boolean[]): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const [at, { length }] of lines.entries()) {
    const last = spans.at(-1);
    const to = from + length;
    if (isNew[at] && isNew[at - 1] && last !== undefined)
      spans.splice(-1, 1, { from: last.from, to });
    else if (isNew[at]) spans.push({ from, to });
    from = to + 1;
  }
  return spans;
}
