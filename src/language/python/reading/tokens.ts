import type { Span } from "#core/diagnostics";

/** A token of a logical line. */
export interface Token extends Span {
  /** Kind of token; each line ends with one `end` token, whose text is empty. */
  readonly kind: "name" | "keyword" | "number" | "string" | "sign" | "end";
  /** Text as written, except for repairs; identifiers in Unicode normal form NFKC. */
  readonly text: string;
}

const keywords: ReadonlySet<string> = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield"
  ).split(" "),
);

const longestKeyword = "continue".length;

/** Plain character for each typographic one. */
export const straight: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "‚": "'",
  "′": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "″": '"',
  "\u00a0": " ",
  "\u2002": " ",
  "\u2003": " ",
  "\u2009": " ",
  "\u202f": " ",
  "\u3000": " ",
  "\ufeff": " ",
  "\u200b": " ",
  "–": "-",
  "—": "-",
  "−": "-",
  "（": "(",
  "）": ")",
  "，": ",",
  "：": ":",
  "×": "*",
};

const number =
  /0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?[jJ]?/y;
const word = /[\p{L}_][\p{L}\p{N}_\p{Mn}]*/uy;
const opening = /[rRbBuUfF]{0,2}('''|"""|'|")/y;
const sign =
  /\.\.\.|\*\*=?|\/\/=?|<<=?|>>=?|<>|->|:=|[-+*/%&|^@<>=!]=|[-+*/%@<>=!&|^~.,:;()[\]{}]/y;

/** End offset of a pattern's match at an offset; the offset itself without a match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Signs that are no prefix of a longer sign, as shared strings. */
const plainSigns: ReadonlyMap<number, string> = new Map(
  [..."()[]{},;~"].map((each) => [each.charCodeAt(0), each]),
);

/** Name, number or sign at an offset; `undefined` for any other character. */
export function tokenAt(text: string, at: number): Token | undefined {
  const code = text.charCodeAt(at);
  if (isLetter(code)) return wordAt(text, at);
  const plain = plainSigns.get(code);
  if (plain !== undefined) return { kind: "sign", text: plain, from: at, to: at + 1 };
  if (isDigit(code) || (code === 46 && isDigit(text.charCodeAt(at + 1)))) {
    return tokenOf("number", text, at, endOf(number, text, at));
  }
  const to = endOf(sign, text, at);
  if (to > at) return tokenOf("sign", text, at, to);
  return code > 127 ? wordAt(text, at) : undefined;
}

function tokenOf(kind: Token["kind"], text: string, from: number, to: number): Token {
  return { kind, text: text.slice(from, to), from, to };
}

function wordAt(text: string, at: number): Token | undefined {
  let to = at;
  let code = text.charCodeAt(to);
  while (isLetter(code) || isDigit(code)) {
    to += 1;
    code = text.charCodeAt(to);
  }
  // Outside ASCII the Unicode identifier rules decide.
  if (code > 127) to = endOf(word, text, at);
  if (to === at) return undefined;
  const written = text.slice(at, to);
  const name = code > 127 ? written.normalize("NFKC") : written;
  const isKeyword = to - at <= longestKeyword && keywords.has(name);
  return { kind: isKeyword ? "keyword" : "name", text: name, from: at, to };
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * A string literal: its quotes, the offset of its content, and its end (`undefined` when
 * unterminated).
 */
export interface Quoted {
  readonly quotes: string;
  readonly start: number;
  readonly to: number | undefined;
}

/** Quick test whether a string literal may begin at an offset: a quote, or a prefix and a quote. */
export function mayBeQuoted(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (isQuote(first)) return true;
  if (!isLetter(first)) return false;
  const second = text.charCodeAt(at + 1);
  return isQuote(second) || (isLetter(second) && isQuote(text.charCodeAt(at + 2)));
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}

/**
 * String literal at an offset; `undefined` when none begins there.
 *
 * @param isNested whether it is inside a field of an f-string, where braces do not end a field of
 * its own
 */
export function quotedAt(text: string, at: number, isNested = false): Quoted | undefined {
  opening.lastIndex = at;
  const found = opening.exec(text);
  if (found === null) return undefined;
  const [{ length }, quotes = "'"] = found;
  const start = at + length;
  const isFormat = !isNested && length > quotes.length && /f/i.test(found[0]);
  const nested = isFormat ? stringEnd(text, start, quotes, true) : undefined;
  return { quotes, start, to: nested ?? stringEnd(text, start, quotes, false) };
}

/** @param hasFields whether quotes inside a replacement field do not end the string */
function stringEnd(
  text: string,
  start: number,
  quotes: string,
  hasFields: boolean,
): number | undefined {
  const quote = quotes.charCodeAt(0);
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += text.charCodeAt(at + 1) === 13 ? 2 : 1;
    else if (code === 10 && quotes.length === 1) return undefined;
    else if (code === quote && text.startsWith(quotes, at)) return at + quotes.length;
    else if (hasFields && code === 123) {
      if (text.charAt(at + 1) === "{") at += 1;
      else {
        const limit = fieldLimit(text, at, quotes);
        at = fieldExpressionEnd(text, at + 1, limit) - 1;
        if (at + 1 >= limit) return undefined;
      }
    }
  }
  return undefined;
}

/**
 * Longest field that is searched for its end, so that hostile texts are not scanned again and
 * again.
 */
const longestField = 2_000;

/** Limit of a field: with single quotes it ends on its line. */
function fieldLimit(text: string, at: number, quotes: string): number {
  const end = quotes.length === 1 ? text.indexOf("\n", at) : -1;
  return Math.min(end < 0 ? text.length : end, at + longestField);
}

/** End of a replacement field's expression, before `!`, `:` or `}`; `limit` when there is none. */
export function fieldExpressionEnd(text: string, from: number, limit: number): number {
  let depth = 0;
  for (let at = from; at < limit; at += 1) {
    const character = text.charAt(at);
    if (character === "'" || character === '"') at = (quotedAt(text, at, true)?.to ?? limit) - 1;
    else if ("([{".includes(character)) depth += 1;
    else if (depth > 0 && ")]}".includes(character)) depth -= 1;
    else if (depth === 0 && ":}".includes(character)) return at;
    else if (depth === 0 && character === "!" && text.charAt(at + 1) !== "=") return at;
  }
  return limit;
}

/** Characters that are searched backwards one by one; enough for nearly every line. */
const usualLength = 256;

/**
 * Start of the line that contains an offset, after a line feed or carriage return. Long lines are
 * searched with `lastIndexOf`.
 */
export function lineStartAt(text: string, at: number): number {
  for (let start = at; start > at - usualLength; start--) {
    if (start <= 0) return 0;
    const code = text.charCodeAt(start - 1);
    if (code === 10 || code === 13) return start;
  }
  const from = at - usualLength;
  return Math.max(text.lastIndexOf("\n", from - 1), text.lastIndexOf("\r", from - 1)) + 1;
}

/** Line numbers, from 1, of offsets in a text; each answer takes a binary search. */
export function lineNumbers(text: string): (offset: number) => number {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= startsOf(text);
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function startsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Text before an offset on its line. */
export function marginAt(text: string, at: number): string {
  const before = text.slice(lineStartAt(text, at), at);
  // A removed bracket may precede the first token.
  return before === "" ? before : before.replace(/[\ufeff\f]|[)\]}].*/gs, "");
}

/** Width of indentation, with tabs as Python counts them. */
export function widthOf(space: string): number {
  let width = 0;
  for (const character of space) width += character === "\t" ? 8 - (width % 8) : 1;
  return width;
}

/**
 * Whether tabs make the order of two margins ambiguous: tab stops of 8 and tabs of width 1 order
 * them differently.
 */
export function mixesTabs(margin: string, other: string): boolean {
  const order = Math.sign(widthOf(margin) - widthOf(other));
  return order !== Math.sign(margin.length - other.length);
}
