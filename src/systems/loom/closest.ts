/**
 * The candidate that a misspelt word most likely means: at most two letters off, ignoring case.
 * `undefined` when none is that near.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= Math.min(2, candidate.length - 2))
    .sort((a, b) => a.far - b.far);
  return near[0]?.candidate;
}

// Levenshtein distance, or 3 at once when the lengths differ by more than 2.
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const letter of a) {
    let diagonal = row[0] ?? 0;
    const next = [diagonal + 1];
    for (let at = 1; at <= b.length; at++) {
      const above = row[at] ?? 0;
      const swap = diagonal + (b[at - 1] === letter ? 0 : 1);
      next.push(Math.min(above + 1, (next[at - 1] ?? 0) + 1, swap));
      diagonal = above;
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
