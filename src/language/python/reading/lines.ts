import { fieldOf } from "#core/records";
import type { Blemish, LogicalLine, OpenBracket, Scan } from "./logical-line.ts";
import {
  marginAt,
  mayBeQuoted,
  quotedAt,
  straight,
  type Token,
  tokenAt,
  widthOf,
} from "./tokens.ts";

interface Scanner {
  readonly text: string;
  at: number;
  brackets: OpenBracket[];
  readonly lines: LogicalLine[];
  blemishes: Blemish[];
  tokens: Token[];
  /** Whether the line contains an unterminated string, which ends with the physical line. */
  isCut: boolean;
  rescans: number;
}

/** Closing brackets by the opening one. */
export const partners: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

const byteOrderMark = "\ufeff";

/**
 * Splits a text into logical lines of tokens and finds unreadable parts: unclosed brackets,
 * unterminated strings, Markdown fences, typographic quotes. Tokens are those that were meant,
 * where that is clear.
 *
 * @param from start of a line; text before it is skipped
 */
export function scanLines(text: string, from = 0): Scan {
  const scanner = scannerOf(text, from === 0 && text.startsWith(byteOrderMark) ? 1 : from);
  do {
    while (scanner.at < text.length) step(scanner);
    finish(scanner);
  } while (scanner.at < text.length);
  return { lines: scanner.lines, blemishes: scanner.blemishes };
}

function scannerOf(text: string, at: number): Scanner {
  return {
    text,
    at,
    brackets: [],
    lines: [],
    blemishes: [],
    tokens: [],
    isCut: false,
    rescans: 0,
  };
}

/**
 * Tokens of a piece of a string, as if it were in brackets.
 *
 * @param base offset of the string in the text; negative when it has none
 */
export function scanPiece(text: string, from: number, to: number, base: number): readonly Token[] {
  const scanner = scannerOf(text.slice(0, to), from);
  scanner.brackets.push({ at: from, mark: "(" });
  while (scanner.at < to) step(scanner);
  const end: Token = { kind: "end", text: "", from: to, to };
  return [...scanner.tokens, end].map((token) => shifted(token, base));
}

function shifted(token: Token, base: number): Token {
  if (base < 0) return { ...token, from: base, to: base };
  return { ...token, from: token.from + base, to: token.to + base };
}

/** Ends the scan; an unclosed bracket is closed where a new statement seems to begin. */
function finish(scanner: Scanner): void {
  const { brackets, text, tokens } = scanner;
  const [open] = brackets;
  const [first] = tokens;
  if (open === undefined || first === undefined || scanner.isCut) {
    endLine(scanner);
    return;
  }
  const restart = scanner.rescans < 50 ? restartAfter(text, open.at, first) : text.length;
  scanner.rescans += 1;
  scanner.blemishes = scanner.blemishes.filter(({ at }) => at < restart);
  scanner.brackets = brackets.filter(({ at }) => at < restart);
  scanner.tokens = tokens.filter(({ from }) => from < restart);
  endLine(scanner);
  scanner.at = restart;
}

/**
 * Offset at which scanning restarts after an unclosed bracket: the end of a header with a colon, or
 * the next line that looks like a statement.
 */
function restartAfter(text: string, from: number, first: Token): number {
  const header = /:[ \t]*(?:#[^\n]*)?\r?\n/g;
  header.lastIndex = from;
  const end = headers.has(first.text) ? header.exec(text) : null;
  const next = nextStatement(text, from, widthOf(marginAt(text, first.from)));
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
    if (scanner.brackets.length === 0 || scanner.isCut) endLine(scanner);
    scanner.at += 1;
  } else if (code === 35) scanner.at = lineEnd(text, at);
  else if (code === 92 && /^\\\r?\n/.test(text.slice(at, at + 3))) {
    scanner.at = lineEnd(text, at) + 1;
  } else readToken(scanner);
}

function isFence({ text, at, tokens, brackets }: Scanner): boolean {
  if (tokens.length > 0 || brackets.length > 0) return false;
  return /^[ \t]*(```|~~~)/.test(text.slice(at, at + 80)) && marginAt(text, at).trim() === "";
}

function readFence(scanner: Scanner): void {
  const to = lineEnd(scanner.text, scanner.at);
  scanner.blemishes.push({ kind: "fence", at: scanner.at, to });
  scanner.at = to;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function readToken(scanner: Scanner): void {
  const { text, at } = scanner;
  if (mayBeQuoted(text, at) && readString(scanner)) return;
  const token = tokenAt(text, at);
  if (token === undefined) readStrange(scanner);
  else addToken(scanner, token);
}

function addToken(scanner: Scanner, token: Token): void {
  const { text: mark, from: at } = token;
  scanner.at = token.to;
  if (mark === ")") closeBracket(scanner, token, "(");
  else if (mark === "]") closeBracket(scanner, token, "[");
  else if (mark === "}") closeBracket(scanner, token, "{");
  else {
    if (mark === "(" || mark === "[" || mark === "{") scanner.brackets.push({ at, mark });
    scanner.tokens.push(token);
  }
}

function closeBracket(scanner: Scanner, token: Token, partner: string): void {
  const { brackets, tokens, blemishes } = scanner;
  const open = brackets.at(-1);
  if (open?.mark === partner || scanner.isCut) {
    brackets.pop();
    tokens.push(token);
    return;
  }
  const { text: mark, from: at } = token;
  if (open === undefined) {
    blemishes.push({ kind: "unmatched", at, mark, remedy: "leave out", meant: "" });
    return;
  }
  const own = fieldOf(partners, open.mark) ?? mark;
  const around = brackets.findLastIndex((each) => each.mark === partner);
  if (around >= 0) {
    const inside = brackets.splice(around).slice(1).reverse();
    const missing = inside.map((each) => fieldOf(partners, each.mark) ?? "");
    for (const text of missing) tokens.push({ kind: "sign", text, from: at, to: at });
    tokens.push(token);
    blemishes.push({
      kind: "unmatched",
      at,
      mark,
      open,
      remedy: "insert",
      meant: missing.join(""),
    });
  } else if (nextSign(scanner) === own) {
    blemishes.push({ kind: "unmatched", at, mark, open, remedy: "leave out", meant: "" });
  } else {
    brackets.pop();
    tokens.push({ ...token, text: own });
    blemishes.push({ kind: "unmatched", at, mark, open, remedy: "replace", meant: own });
  }
}

/** The next character that is not white space. */
function nextSign({ text, at }: Scanner): string {
  const next = /[^ \t\f\r\n]/g;
  next.lastIndex = at;
  return next.exec(text)?.[0] ?? "";
}

function readString(scanner: Scanner): boolean {
  const { text, at, tokens } = scanner;
  const quoted = quotedAt(text, at);
  if (quoted === undefined) return false;
  const { quotes, start, to } = quoted;
  if (to === undefined) readUnterminated(scanner, start, quotes);
  else {
    tokens.push({ kind: "string", text: text.slice(at, to), from: at, to });
    scanner.at = to;
  }
  return true;
}

/**
 * Reads an unterminated string; its closing quote is assumed before trailing brackets and signs.
 */
function readUnterminated(scanner: Scanner, start: number, quotes: string): void {
  const { text, at, brackets, tokens, blemishes } = scanner;
  const isLong = quotes.length === 3;
  const to = isLong ? text.length : lineEnd(text, start);
  const body = text.slice(start, to).trimEnd();
  const tail = isLong || brackets.length === 0 ? "" : (/[)\]},:]*$/.exec(body)?.[0] ?? "");
  const end = isLong ? to : start + body.length - tail.length;
  blemishes.push({ kind: "unterminated", at, to, quotes, end });
  const closed = isLong ? "" : quotes;
  tokens.push({ kind: "string", text: `${text.slice(at, end)}${closed}`, from: at, to: end });
  scanner.isCut = true;
  scanner.at = end;
}

/** Reads a character foreign to Python as the one it resembles, if there is one. */
function readStrange(scanner: Scanner): void {
  const { text, at, blemishes } = scanner;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0) || text.charAt(at);
  blemishes.push({ kind: "character", at, character });
  const plain = fieldOf(straight, character) ?? character;
  const to = at + character.length;
  scanner.at = to;
  if (plain === " " || ((plain === "'" || plain === '"') && readTypographic(scanner, at, plain)))
    return;
  addToken(scanner, { kind: "sign", text: plain, from: at, to });
}

/** Reads a string in typographic quotes that closes on the same line; false otherwise. */
function readTypographic(scanner: Scanner, from: number, quote: string): boolean {
  const { text, at, tokens, blemishes } = scanner;
  const length = text.slice(at, lineEnd(text, at)).search(quote === "'" ? /[’‘']/ : /[”“"]/);
  if (length < 0) return false;
  const end = at + length;
  if (text.charAt(end) !== quote) {
    blemishes.push({ kind: "character", at: end, character: text.charAt(end) });
  }
  const before = tokens.at(-1);
  const isPrefix = before?.to === from && /^[rRbBuUfF]{1,2}$/.test(before.text);
  if (isPrefix) tokens.pop();
  const start = isPrefix ? before.from : from;
  const written = `${text.slice(start, from)}${quote}${text.slice(at, end)}${quote}`;
  tokens.push({ kind: "string", text: written, from: start, to: end + 1 });
  scanner.at = end + 1;
  return true;
}

function endLine(scanner: Scanner): void {
  const { tokens, brackets, text } = scanner;
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first !== undefined && last !== undefined) {
    const { to } = last;
    const margin = marginAt(text, first.from);
    tokens.push({ kind: "end", text: "", from: to, to });
    scanner.lines.push({
      from: first.from,
      to,
      indent: widthOf(margin),
      margin: margin.replace(/[^\t]/g, " "),
      tokens,
      unclosed: scanner.isCut ? [] : brackets,
    });
  }
  scanner.tokens = [];
  scanner.brackets = [];
  scanner.isCut = false;
}
