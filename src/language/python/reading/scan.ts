import { fieldOf } from "#core/records";
import { lineStartAt } from "./line-start.ts";

/** A bracket that is open. */
export interface OpenBracket {
  readonly at: number;
  readonly mark: string;
}

/** One statement line: what stands between two line ends outside brackets and strings. */
export interface LogicalLine {
  readonly from: number;
  /** After the last token, before comment and line end. */
  readonly to: number;
  readonly indent: number;
  readonly firstWord: string;
  /** The last token. */
  readonly last: string;
  /** Whether a `:` stands outside brackets that belongs to no `lambda`. */
  readonly hasColon: boolean;
  /** Brackets that nothing closes, outermost first. */
  readonly unclosed: readonly OpenBracket[];
}

/** Something that no Python text may hold. */
export type Blemish =
  | { readonly kind: "fence"; readonly from: number; readonly to: number }
  | {
      readonly kind: "unmatched";
      readonly at: number;
      readonly mark: string;
      readonly open?: OpenBracket;
    }
  | {
      readonly kind: "unterminated";
      readonly from: number;
      readonly to: number;
      readonly quotes: string;
      readonly open: readonly OpenBracket[];
    }
  | { readonly kind: "character"; readonly at: number; readonly character: string }
  | { readonly kind: "yield"; readonly at: number };

export interface Scan {
  readonly lines: readonly LogicalLine[];
  readonly blemishes: readonly Blemish[];
}

interface Scanner {
  readonly text: string;
  at: number;
  readonly brackets: OpenBracket[];
  readonly lines: LogicalLine[];
  readonly blemishes: Blemish[];
  line:
    | {
        from: number;
        to: number;
        firstWord: string;
        last: string;
        hasColon: boolean;
        lambdas: number;
      }
    | undefined;
  rescans: number;
}

const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const typographic: Readonly<Record<string, string>> = { "‘": "’", "’": "’", "“": "”", "”": "”" };

/**
 * Cuts a text into statement lines and finds what the grammar cannot say well: unclosed brackets,
 * strings without end, fences of Markdown, typographic quotes. It reads tokens, no grammar.
 *
 * @param known the first lines, of another text without blemishes that is the same up to `from`
 * @param from where the line behind them begins
 */
export function scan(text: string, known: readonly LogicalLine[] = [], from = 0): Scan {
  const scanner: Scanner = {
    text,
    at: from,
    brackets: [],
    lines: [...known],
    blemishes: [],
    line: undefined,
    rescans: 0,
  };
  while (scanner.at < text.length) step(scanner);
  finish(scanner);
  while (scanner.at < text.length) {
    step(scanner);
    if (scanner.at >= text.length) finish(scanner);
  }
  return { lines: scanner.lines, blemishes: scanner.blemishes };
}

/** The end of the text: an open bracket ends where a new statement seems to begin. */
function finish(scanner: Scanner): void {
  const { brackets, text, line } = scanner;
  const [open] = brackets;
  if (open === undefined || line === undefined) {
    endLine(scanner);
    return;
  }
  const restart = scanner.rescans < 50 ? restartAfter(text, open.at, line) : text.length;
  scanner.rescans += 1;
  const to = text.slice(0, restart).trimEnd().length;
  dropAfter(scanner, restart);
  line.to = Math.max(line.from, Math.min(to, text.length));
  line.last = text.charAt(line.to - 1);
  endLine(scanner);
  scanner.at = restart;
}

function dropAfter(scanner: Scanner, restart: number): void {
  const kept = scanner.blemishes.filter((blemish) => placeOf(blemish) < restart);
  scanner.blemishes.splice(0, scanner.blemishes.length, ...kept);
  const inside = scanner.brackets.filter(({ at }) => at < restart);
  scanner.brackets.splice(0, scanner.brackets.length, ...inside);
}

/** Where a blemish stands. */
function placeOf(blemish: Blemish): number {
  return "at" in blemish ? blemish.at : blemish.from;
}

/** A header that is left open ends with its colon; else the next line that looks like a statement. */
function restartAfter(
  text: string,
  from: number,
  line: { readonly from: number; readonly firstWord: string },
): number {
  const header = /:[ \t]*(?:#[^\n]*)?\r?\n/g;
  header.lastIndex = from;
  const end = headers.has(line.firstWord) ? header.exec(text) : null;
  const next = nextStatement(text, from, indentAt(text, line.from));
  return end === null ? next : Math.min(end.index + end[0].length, next);
}

const headers: ReadonlySet<string> = new Set("if elif for while def class with except".split(" "));

function nextStatement(text: string, from: number, indent: number): number {
  const start =
    /^([ \t]*)(?:(?:def|class|import|from|return|while|with|try|raise|assert|pass|del)\b|@|[\w.[\]]+\s*(?:=[^=]|\+=)|[\w.]+\()/gm;
  start.lastIndex = text.indexOf("\n", from) + 1;
  if (start.lastIndex === 0) return text.length;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    if (widthOf(found[1] ?? "") <= indent) return found.index;
  }
  return text.length;
}

function step(scanner: Scanner): void {
  const { text, at } = scanner;
  const code = text.charCodeAt(at);
  const isBlank = code === 32 || code === 9 || code === 12;
  if ((isBlank || code === 96 || code === 126) && isFence(scanner)) readFence(scanner);
  else if (isBlank) scanner.at += 1;
  else if (code === 10 || code === 13) {
    if (scanner.brackets.length === 0) endLine(scanner);
    scanner.at += 1;
  } else if (code === 35) scanner.at = lineEnd(text, at);
  else if (code === 92 && /^\\\r?\n/.test(text.slice(at, at + 3))) {
    scanner.at = lineEnd(text, at) + 1;
  } else readToken(scanner, text.charAt(at));
}

function isFence({ text, at, line, brackets }: Scanner): boolean {
  const isLineStart = line === undefined && brackets.length === 0;
  return isLineStart && /^[ \t]*(```|~~~)/.test(text.slice(at, at + 80)) && isAtLineStart(text, at);
}

function isAtLineStart(text: string, at: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStartAt(text, at), at));
}

function readFence(scanner: Scanner): void {
  const end = lineEnd(scanner.text, scanner.at);
  scanner.blemishes.push({ kind: "fence", from: scanner.at, to: end });
  scanner.at = end;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Tokens of one sign; what consists of several, as `->`, reads as so many. */
const bracketSigns = "()[]{}";
const operatorSigns = "-+*/%@<>=!&|^~.,:;";
const tokenPattern = /[\p{L}_][\p{L}\p{N}_\p{Mn}]*|\d[\w.]*/uy;
const stringPattern = /[rRbBuUfF]{0,2}('''|"""|'|")/y;
const mayBeString = /[rRbBuUfF'"]/;

function readToken(scanner: Scanner, character: string): void {
  const { text, at } = scanner;
  const isBracket = bracketSigns.includes(character);
  if (isBracket || operatorSigns.includes(character)) {
    addToken(scanner, character);
    scanner.at = at + 1;
    if (isBracket) readBracket(scanner, character, at);
    return;
  }
  stringPattern.lastIndex = at;
  const quotes = mayBeString.test(character) ? stringPattern.exec(text) : null;
  if (quotes !== null) {
    readString(scanner, at + quotes[0].length, quotes[1] ?? "'");
    return;
  }
  tokenPattern.lastIndex = at;
  if (!tokenPattern.test(text)) {
    readStrange(scanner, String.fromCodePoint(text.codePointAt(at) ?? 0) || character);
    return;
  }
  const token = text.slice(at, tokenPattern.lastIndex);
  addToken(scanner, token);
  scanner.at = at + token.length;
  if (token === "yield") noteYield(scanner);
}

/** The grammar wants a value after `yield`; Python does not. */
function noteYield(scanner: Scanner): void {
  const next =
    /^[ \t\f]*(\\\r?\n[ \t]*)?(.?)/.exec(scanner.text.slice(scanner.at, scanner.at + 200))?.[2] ??
    "";
  if (next === "" || /[\n\r)\]},;#=]/.test(next))
    scanner.blemishes.push({ kind: "yield", at: scanner.at });
}

function addToken(scanner: Scanner, token: string): void {
  const { at, brackets } = scanner;
  const to = at + token.length;
  const line = scanner.line;
  if (line === undefined) {
    scanner.line = { from: at, to, firstWord: token, last: token, hasColon: false, lambdas: 0 };
    return;
  }
  line.to = to;
  line.last = token;
  if (brackets.length > 0) return;
  if (token === "lambda") line.lambdas += 1;
  if (token !== ":") return;
  if (line.lambdas > 0) line.lambdas -= 1;
  else line.hasColon = true;
}

function readBracket(scanner: Scanner, mark: string, at: number): void {
  const { brackets, blemishes } = scanner;
  const partner = fieldOf(closers, mark);
  if (partner === undefined) {
    brackets.push({ at, mark });
    return;
  }
  const open = brackets.at(-1);
  if (open?.mark === partner) {
    brackets.pop();
    return;
  }
  blemishes.push({ kind: "unmatched", at, mark, ...(open === undefined ? {} : { open }) });
  if (open !== undefined) brackets.pop();
}

function readString(scanner: Scanner, start: number, quotes: string): void {
  const { text, at, blemishes } = scanner;
  const isLong = quotes.length === 3;
  const end = stringEnd(text, start, quotes);
  const to = end ?? (isLong ? text.length : lineEnd(text, start));
  if (end === undefined) {
    blemishes.push({ kind: "unterminated", from: at, to, quotes, open: [...scanner.brackets] });
    // Whatever brackets are open, the line is beyond reading.
    if (!isLong) scanner.brackets.length = 0;
  }
  addToken(scanner, text.slice(at, to));
  scanner.at = to;
}

function stringEnd(text: string, start: number, quotes: string): number | undefined {
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += text.charAt(at + 1) === "\r" ? 2 : 1;
    else if (quotes.length === 1 && character === "\n") return undefined;
    else if (text.startsWith(quotes, at)) return at + quotes.length;
  }
  return undefined;
}

function readStrange(scanner: Scanner, character: string): void {
  const { text, at, blemishes } = scanner;
  blemishes.push({ kind: "character", at, character });
  addToken(scanner, character);
  scanner.at = at + character.length;
  const partner = fieldOf(typographic, character);
  if (partner === undefined) return;
  const end = lineEnd(text, at);
  const close = text.slice(scanner.at, end).search(partner === "’" ? /[’‘']/ : /[”“"]/);
  if (close < 0) return;
  const closeAt = scanner.at + close;
  const closing = text.charAt(closeAt);
  if (fieldOf(typographic, closing) !== undefined)
    blemishes.push({ kind: "character", at: closeAt, character: closing });
  scanner.at = closeAt;
  addToken(scanner, closing);
  scanner.at = closeAt + 1;
}

function endLine(scanner: Scanner): void {
  const { line, brackets, lines, text } = scanner;
  if (line !== undefined) {
    const { from, to, firstWord, last, hasColon } = line;
    const indent = indentAt(text, from);
    lines.push({ from, to, indent, firstWord, last, hasColon, unclosed: brackets.slice() });
  }
  scanner.line = undefined;
  brackets.length = 0;
}

function indentAt(text: string, at: number): number {
  return widthOf(text.slice(lineStartAt(text, at), at));
}

function widthOf(space: string): number {
  let width = 0;
  for (const character of space) width += character === "\t" ? 8 - (width % 8) : 1;
  return width;
}
