/**
 * How well a text answers what was typed: every word of the query has to stand in the text, its
 * letters in order. Higher is better; `undefined` where it does not. Letters in a row and at the
 * beginnings of words count more, long texts less; an empty query fits everything alike.
 */
export function scoreOf(query: string, text: string): number | undefined {
  let total = 0;
  for (const word of query.toLowerCase().split(/\s+/u)) {
    if (word === "") continue;
    const score = fitWord(word, text.toLowerCase());
    if (score === undefined) return undefined;
    total += score;
  }
  return total === 0 ? 0 : total - text.length / 100;
}

function fitWord(word: string, text: string): number | undefined {
  const whole = text.indexOf(word);
  if (whole >= 0) return 3 * word.length + (startsWord(text, whole) ? 6 : 2);
  let at = -1;
  let score = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    score += next === at + 1 ? 2 : startsWord(text, next) ? 2 : 0.2;
    at = next;
  }
  return score;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || !/[a-z0-9]/u.test(text[at - 1] ?? "");
}
