/** A token of a line: a name, a number, a string whole, or a sign. */
export interface LineToken {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** How many brackets are open around it; a bracket stands outside itself. */
  readonly depth: number;
}

const blank = /(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*(?:\n|$))+/y;
const string =
  /[rRbBuUfF]{0,2}(?:'''(?:\\[\s\S]|[^\\])*?'''|"""(?:\\[\s\S]|[^\\])*?"""|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*")/y;
const word = /[\p{L}_][\p{L}\p{N}_\p{Mn}]*|\d(?:[eE][+-]\d|[\w.])*|:=|\*\*|./suy;

/** The tokens between two places, white space and comments left out. */
export function tokensIn(text: string, from: number, to: number): readonly LineToken[] {
  const tokens: LineToken[] = [];
  let depth = 0;
  let at = from;
  while (at < to) {
    const skipped = matchAt(blank, text, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const ended = matchAt(string, text, at);
    const end = Math.min(ended > at ? ended : matchAt(word, text, at), to);
    const token = text.slice(at, Math.max(end, at + 1));
    if (/^[)\]}]$/.test(token)) depth -= 1;
    tokens.push({ from: at, to: at + token.length, text: token, depth });
    if (/^[([{]$/.test(token)) depth += 1;
    at += token.length;
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
