const keywords: ReadonlySet<string> = new Set(
  (
    "and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Words that stand beside each other with nothing between them: no Python has as many. */
const proseRun = 3;

/** A longer line is no prose of a page, whatever it holds. */
const longestLine = 2_000;

/** Whether a line is prose: words in a row that are no keywords, or the stops of Chinese. */
export function isProse(line: string): boolean {
  if (line.length > longestLine) return false;
  const bare = line
    .replace(/(?<!\w)(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g, '""')
    .replace(/(^|\s)#.*$/su, "")
    .replace(/^\s*(?:>|[-*•]|\d+[.)])\s+/u, "");
  if (/[，。；：、！？]/u.test(bare)) return true;
  let run = 0;
  for (const word of bare.split(/\s+/)) {
    const isWord = /^[(“‘"'*_[]*\p{L}+(?:[-'’]\p{L}+)*[)”’"'*_\],.;:!?]*$/u.test(word);
    const isPlain = isWord && !keywords.has(word);
    run = isPlain ? run + 1 : 0;
    if (run >= proseRun) return true;
    // A comma parts what a program lists.
    if (/[,.;:)\]]$/.test(word)) run = 0;
  }
  return false;
}

/** Which lines stand inside a text in three quotes, where prose is at home. */
export function linesInTexts(lines: readonly string[]): readonly boolean[] {
  let quote: string | undefined;
  return lines.map((line) => {
    const began = quote;
    for (const [mark] of line.matchAll(/"""|'''/g)) {
      if (quote === undefined) quote = mark;
      else if (quote === mark) quote = undefined;
    }
    return began !== undefined;
  });
}
