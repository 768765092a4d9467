import type { Span } from "#core/diagnostics";

/** A bracket or a run of other characters; only ASCII spaces separate. */
export interface Token {
  readonly kind: "open" | "close" | "word";
  readonly text: string;
  readonly span: Span;
}

/** The tokens of the piece `[from, to)` of a text. */
export function tokensOf(text: string, piece: Span): readonly Token[] {
  const found = text.slice(piece.from, piece.to).matchAll(/[()]|[^ ()]+/g);
  return [...found].map((match): Token => {
    const from = piece.from + match.index;
    return { kind: kindOf(match[0]), text: match[0], span: { from, to: from + match[0].length } };
  });
}

function kindOf(text: string): Token["kind"] {
  if (text === "(") return "open";
  return text === ")" ? "close" : "word";
}

/** Whether Python's `str.isidentifier` holds (keywords are identifiers too). */
export function isIdentifierName(text: string): boolean {
  return /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text);
}

/** Whether Python's `str.isdecimal` holds: one or more digits of any script. */
export function isDecimal(text: string): boolean {
  return /^\p{Nd}+$/u.test(text);
}

/** The value of a decimal text in any script, as Python's `int`. */
export function decimalValue(text: string): number {
  return Number([...text].map(digitValue).join(""));
}

/** The part of `[from, to)` that is left when Python's `str.strip` has run. */
export function stripped(text: string, from: number, to: number): { from: number; to: number } {
  let start = from;
  let stop = to;
  while (start < stop && isPythonSpace(text.charAt(start))) start++;
  while (stop > start && isPythonSpace(text.charAt(stop - 1))) stop--;
  return { from: start, to: stop };
}

/** Whether Python's `str.isspace` holds for one character; JavaScript's `\s` differs both ways. */
export function isPythonSpace(character: string): boolean {
  const code = character.charCodeAt(0);
  if ((code >= 0x1c && code <= 0x1f) || code === 0x85) return true;
  return code !== 0xfeff && /^\s$/.test(character);
}

// Unicode lays the digits of every script out as consecutive runs 0…9.
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (zero > 0 && isDecimal(String.fromCodePoint(zero - 1))) zero--;
  return (code - zero) % 10;
}
