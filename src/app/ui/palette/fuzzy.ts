/**
 * The penalty of a word that is found among the further words of a text and not in the text itself.
 */
const aliasLoss = 3;

/**
 * How well a text answers what was typed: every word of the query has to stand in the text or among
 * its further words, its letters in order, most of them in a row or at the beginnings of words.
 * Higher is better, and best where the text begins so; `undefined` where it does not. Long texts
 * count less; an empty query fits everything alike.
 */
export function scoreOf(query: string, text: string, alias = ""): number | undefined {
  let total = 0;
  for (const word of query.toLowerCase().split(/\s+/u)) {
    if (word === "") continue;
    const own = fitWord(word, text.toLowerCase());
    // A space stands between them: the order of further words means nothing.
    const other = fitWord(word, ` ${alias.toLowerCase()}`);
    const score = other === undefined ? own : Math.max(own ?? 0, other - aliasLoss);
    if (score === undefined) return undefined;
    total += score;
  }
  return total === 0 ? 0 : total - text.length / 100;
}

function fitWord(word: string, text: string): number | undefined {
  const whole = text.indexOf(word);
  // A text that begins with the query is its best match: `Plan: …` before `New plan`.
  if (whole === 0) return 3 * word.length + 9;
  if (whole > 0) return 3 * word.length + (startsWord(text, whole) ? 6 : 2);
  let at = -1;
  let firm = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    if (next === at + 1 || startsWord(text, next)) firm += 1;
    at = next;
  }
  const loose = word.length - firm;
  return loose > firm ? undefined : 2 * firm + 0.2 * loose;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || !/[a-z0-9]/u.test(text[at - 1] ?? "");
}
