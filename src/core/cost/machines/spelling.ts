/** Edit distance of two words: letters to insert, remove or change. */
export function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The word that a misspelt one most likely is, with at most two slips; ties go to the first. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/gu, "");
  const wanted = plain(word.slice(0, 60));
  const [nearest] = known
    .map((each) => ({ each, slips: slipsBetween(plain(each), wanted) }))
    .filter(({ each, slips }) => slips <= Math.min(2, Math.floor(each.length / 2)))
    .sort((a, b) => a.slips - b.slips);
  return nearest?.each;
}
