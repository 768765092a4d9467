/** Score lost by a word that is found only in the aliases. */
const aliasLoss = 3;

/**
 * Score of a text for a query, higher is better. Every query word must be found in the text or its
 * aliases: its letters in order, most of them adjacent or at word starts. `undefined` without a
 * match. Long texts score lower; an empty query scores 0.
 */
export function scoreOf(query: string, text: string, alias = ""): number | undefined {
  let total = 0;
  for (const word of query.toLowerCase().split(/\s+/u)) {
    if (word === "") continue;
    const own = fitWord(word, text.toLowerCase());
    // The added space keeps an alias from counting as the start of the text: the order of aliases
    // has no meaning.
    const other = fitWord(word, ` ${alias.toLowerCase()}`);
    const score = other === undefined ? own : Math.max(own ?? 0, other - aliasLoss);
    if (score === undefined) return undefined;
    total += score;
  }
  return total === 0 ? 0 : total - text.length / 100;
}

function fitWord(word: string, text: string): number | undefined {
  const whole = text.indexOf(word);
  // A match at the start scores highest: `Plan: …` before `New plan`.
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
