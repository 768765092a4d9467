/**
 * Whether a text is still the same program as another: at least half of the shorter text remains,
 * either of its lines in any order, or of its characters around a single change. Blank lines do not
 * count.
 */
export function isSameProgram(before: string, after: string): boolean {
  return sharedEnds(before, after) >= 0.5 || sharedLines(before, after) >= 0.5;
}

/** Share of the shorter text before and after the one change between both. */
function sharedEnds(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  if (shorter === 0) return 0;
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return (start + end) / shorter;
}

function sharedLines(one: string, other: string): number {
  const [lines, others] = [linesOf(one), linesOf(other)];
  const left = new Map<string, number>();
  for (const line of lines) left.set(line, (left.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of others) {
    const count = left.get(line) ?? 0;
    if (count > 0) shared += 1;
    left.set(line, count - 1);
  }
  return shared / Math.max(1, Math.min(lines.length, others.length));
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}
