const keywords: ReadonlySet<string> = new Set(
  (
    "and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Number of consecutive plain words that makes a line prose: no Python line has as many. */
const proseRun = 3;

/** Longest line that can be prose. */
const longestLine = 2_000;

/** Whether a line is prose: consecutive words that are no keywords, or Chinese punctuation. */
export function isProse(line: string): boolean {
  return mayBeProse(line) && readsAsProse(line);
}

/**
 * Quick test whether a line may be prose: enough consecutive pieces that may be words, or non-ASCII
 * characters. Most lines of a program fail this test, which runs on every line of a text. Where
 * strings are blanked, pieces without a quote stay or go as a whole, and pieces with one may become
 * words; then all of them count, consecutive or not.
 *
 * @internal
 */
export function mayBeProse(line: string): boolean {
  let [words, row, isQuoting, hasQuote, isWord] = [0, 0, false, false, true];
  for (let at = 0, from = 0; at <= line.length; at += 1) {
    const code = at === line.length ? space : line.charCodeAt(at);
    if (code > lastOfAscii) return true;
    if (code === space || (code >= tab && code <= carriageReturn)) {
      if (at > from) {
        if (isWord || hasQuote) words += 1;
        row = isWord ? row + 1 : 0;
        if (row >= proseRun) return true;
      }
      from = at + 1;
      [isWord, hasQuote] = [true, false];
    } else if (code === doubleQuote || code === quote) isQuoting = hasQuote = true;
    else if (inNoWord[code] === 1) isWord = false;
  }
  return isQuoting && words >= proseRun;
}

const [tab, carriageReturn, space, doubleQuote, quote, lastOfAscii] = [9, 13, 32, 34, 39, 127];

/** Table by character code: 1 for characters that are neither in a word nor next to one. */
const inNoWord = Uint8Array.from({ length: lastOfAscii + 1 }, (_, code) =>
  /[\w#$%&+/<=@\\^`{|}~]/.test(String.fromCharCode(code)) &&
  !/[a-zA-Z_]/.test(String.fromCharCode(code))
    ? 1
    : 0,
);

/**
 * Exact test whether a line reads as prose.
 *
 * @internal
 */
export function readsAsProse(line: string): boolean {
  if (line.length > longestLine) return false;
  const bare = uncommented(line).replace(/^\s*(?:>|[-*•]|\d+[.)])\s+/u, "");
  if (/[，。；：、！？]/u.test(bare)) return true;
  let run = 0;
  for (const word of bare.split(/\s+/)) {
    const isWord = /^[(“‘"'*_[]*\p{L}+(?:[-'’]\p{L}+)*[)”’"'*_\],.;:!?]*$/u.test(word);
    const isPlain = isWord && !keywords.has(word);
    run = isPlain ? run + 1 : 0;
    if (run >= proseRun) return true;
    // A comma ends a run of words, since programs list names.
    if (/[,.;:)\]]$/.test(word)) run = 0;
  }
  return false;
}

/** A line of code with its strings emptied and its comment removed. */
function uncommented(line: string): string {
  const isQuoting = line.includes('"') || line.includes("'");
  const emptied = isQuoting
    ? line.replace(/(?<!\w)(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g, '""')
    : line;
  return emptied.includes("#") ? emptied.replace(/(^|\s)#.*$/su, "") : emptied;
}
