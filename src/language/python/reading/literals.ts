import { fieldOf } from "#core/records";
import { complex } from "../library/complex.ts";
import type { Value } from "../values/value.ts";
import {
  advance,
  type Cursor,
  cursorOn,
  deepen,
  fault,
  invalidSyntax,
  type SyntaxFault,
  spanFrom,
  unsupported,
} from "./cursor.ts";
import { wrongBracket } from "./field-brackets.ts";
import { scanPiece } from "./lines.ts";
import type { Expression, FormatPart, Replacement } from "./syntax.ts";
import { fieldExpressionEnd, type Token } from "./tokens.ts";

/** Value of a number token; a syntax fault for illegal ones. */
export function readNumber(token: Token): Value {
  const { text } = token;
  const digits = text.includes("_") ? withoutUnderscores(token) : text;
  if (/^(?:0|[1-9]\d{0,300})$/.test(digits)) return { kind: "int", value: BigInt(digits) };
  if (/[jJ]$/.test(digits)) return complex(0, Number(digits.slice(0, -1)));
  if (/^0[xXoObB]/.test(digits)) return { kind: "int", value: BigInt(digits) };
  if (/[.eE]/.test(digits)) return { kind: "float", value: Number(digits) };
  if (/^0\d*[1-9]/.test(digits)) {
    const message =
      "leading zeros in decimal integer literals are not permitted; " +
      "use an 0o prefix for octal integers";
    throw fault(message, token);
  }
  if (digits.length > 4300) {
    throw fault("Exceeds the limit (4300 digits) for integer string conversion", token);
  }
  return { kind: "int", value: BigInt(digits) };
}

function withoutUnderscores(token: Token): string {
  const { text } = token;
  if (/__|_$|_[.eE]|\._|[eE+-]_/.test(text)) throw fault("invalid decimal literal", token);
  const digits = text.replaceAll("_", "");
  if (digits.length === 2 && /[xXoObB]$/.test(digits)) throw fault("invalid number literal", token);
  return digits;
}

/** Value of `None`, `True`, `False` or `...`; `undefined` for other tokens. */
export function readConstant({ text }: Token): Value | undefined {
  if (text === "None") return { kind: "none" };
  if (text === "True" || text === "False") return { kind: "bool", value: text === "True" };
  return text === "..." ? { kind: "ellipsis" } : undefined;
}

/** A string, an f-string, or adjacent ones. */
export function readStrings(cursor: Cursor): Expression {
  const { from, text } = cursor.token;
  if (isBytes(text)) return readBytes(cursor);
  const plain = plainText(text);
  if (plain !== undefined) advance(cursor);
  if (plain !== undefined && cursor.token.kind !== "string")
    return { kind: "constant", value: { kind: "str", value: plain }, span: spanFrom(cursor, from) };
  const parts: FormatPart[] = plain === undefined ? [] : [plain];
  while (cursor.token.kind === "string") {
    for (const part of formatParts(cursor, literalOf(cursor, cursor.token))) parts.push(part);
    advance(cursor);
  }
  const span = spanFrom(cursor, from);
  if (parts.some((part) => typeof part !== "string")) return { kind: "format", parts, span };
  const value = parts.length === 1 && typeof parts[0] === "string" ? parts[0] : parts.join("");
  return { kind: "constant", value: { kind: "str", value }, span };
}

/** Whether a token is a bytes literal. */
function isBytes(text: string): boolean {
  return /^(?:b|rb|br)["']/i.test(text);
}

/** A bytes literal, read as a call of `bytes()`, since its value is not kept. */
function readBytes(cursor: Cursor): Expression {
  const { from } = cursor.token;
  while (cursor.token.kind === "string" && isBytes(cursor.token.text)) advance(cursor);
  const span = spanFrom(cursor, from);
  return { kind: "call", callee: { kind: "name", name: "bytes", span }, args: [], span };
}

/**
 * Content of the most frequent string tokens: one pair of quotes, no prefix, no escapes.
 * `undefined` for others.
 */
function plainText(text: string): string | undefined {
  const [quote] = text;
  const isQuoted = (quote === "'" || quote === '"') && text.length > 1 && text.at(-1) === quote;
  if (!isQuoted || text.includes("\\") || text.startsWith(quote.repeat(3))) return undefined;
  return text.slice(1, -1);
}

/** A string token with the range between its quotes; escapes are not replaced yet. */
interface Literal {
  readonly token: Token;
  readonly from: number;
  readonly to: number;
  readonly isRaw: boolean;
  readonly isFormat: boolean;
}

function literalOf(cursor: Cursor, token: Token): Literal {
  const { text } = token;
  const opening = /^([A-Za-z]*)('''|"""|'|")/.exec(text);
  const prefix = opening?.[1] ?? "";
  const quotes = opening?.[2] ?? "'";
  const from = prefix.length + quotes.length;
  const isClosed = text.length >= from + quotes.length && text.endsWith(quotes);
  if (!isClosed) throw unterminated(cursor, token);
  const to = text.length - quotes.length;
  return { token, from, to, isRaw: /r/i.test(prefix), isFormat: /f/i.test(prefix) };
}

function unterminated({ lineOf }: Cursor, token: Token): SyntaxFault {
  const line = lineOf(token.to);
  return fault(`unterminated triple-quoted string literal (detected at line ${line})`, token);
}

function formatParts(cursor: Cursor, literal: Literal): readonly FormatPart[] {
  return literal.isFormat
    ? readFormat(cursor, literal)
    : [textBetween(literal, literal.from, literal.to)];
}

function textBetween({ token, isRaw }: Literal, from: number, to: number): string {
  const written = token.text.slice(from, to);
  const text = written.includes("\r") ? written.replace(/\r\n?/g, "\n") : written;
  return isRaw || !text.includes("\\") ? text : replaceEscapes(text, token);
}

const simpleEscapes: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\n": "",
};

/** Text of a literal with escapes replaced; unknown escapes stay, as in Python. */
function replaceEscapes(text: string, token: Token): string {
  return text.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (whole, octal?: string, two?: string, four?: string, eight?: string, other?: string) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      const hex = two ?? four ?? eight;
      if (hex !== undefined) return fromHex(hex, token);
      if (other === "x" || other === "u" || other === "U" || other === "N") {
        throw badEscape(`\\${other}`, token);
      }
      return fieldOf(simpleEscapes, other ?? "") ?? whole;
    },
  );
}

function fromHex(hex: string, token: Token): string {
  const point = Number.parseInt(hex, 16);
  if (point > 0x10ffff) throw badEscape("\\U", token);
  return String.fromCodePoint(point);
}

function badEscape(what: string, token: Token): SyntaxFault {
  if (what === "\\N") return unsupported("a named character escape", token);
  const message = `(unicode error) 'unicodeescape' codec can't decode bytes: truncated ${what}XX escape`;
  return fault(message, token);
}

/** Text parts and replacement fields of an f-string. */
function readFormat(cursor: Cursor, literal: Literal): readonly FormatPart[] {
  const { token, from, to } = literal;
  const parts: FormatPart[] = [];
  let start = from;
  for (let at = from; at <= to; at += 1) {
    const character = at === to ? "" : token.text.charAt(at);
    if (character === "{" && token.text.charAt(at + 1) === "{") at += 1;
    else if (character === "{" || at === to) {
      const text = textBetween(literal, start, at);
      if (/(^|[^}])(}})*}([^}]|$)/.test(text)) {
        throw fault("f-string: single '}' is not allowed", token);
      }
      if (text !== "") parts.push(text.replaceAll("{{", "{").replaceAll("}}", "}"));
      if (at === to) break;
      start = readField(cursor, literal, at, parts);
      at = start - 1;
    }
  }
  return parts;
}

/** Reads the field at an offset and returns its end. */
function readField(cursor: Cursor, literal: Literal, open: number, parts: FormatPart[]): number {
  const { token, to } = literal;
  const { text } = token;
  deepen(cursor);
  const end = fieldExpressionEnd(text, open + 1, to);
  const wrong = wrongBracket(text, open + 1, end);
  if (wrong !== undefined) {
    const from = placeIn(literal, wrong.at);
    throw fault(`f-string: ${wrong.message}`, { from, to: from + 1 });
  }
  if (end >= to) throw unclosedField(literal, end);
  const written = text.slice(open + 1, end);
  const isNamed = /(^|[^=!<>])=\s*$/.test(written);
  const value = readValue(
    cursor,
    literal,
    open + 1,
    isNamed ? open + 1 + written.lastIndexOf("=") : end,
  );
  let at = end;
  const conversion = /^![rsa]/.exec(text.slice(at, at + 2))?.[0].slice(1);
  if (conversion !== undefined) at += 2;
  const specification: FormatPart[] = [];
  const hasSpecification = text.charAt(at) === ":" && at < to;
  if (hasSpecification) at = readSpecification(cursor, literal, at + 1, specification);
  if (at >= to || text.charAt(at) !== "}") throw unclosedField(literal, at);
  if (isNamed) parts.push(written);
  const chosen = conversion ?? (isNamed && !hasSpecification ? "r" : undefined);
  const isKnown = chosen === "r" || chosen === "s" || chosen === "a";
  const field: Replacement = {
    value,
    ...(isKnown && { conversion: chosen }),
    ...(hasSpecification && { specification }),
  };
  parts.push(field);
  cursor.depth -= 1;
  return at + 1;
}

function placeIn({ token }: Literal, at: number): number {
  return Math.min(token.from + at, token.to);
}

function unclosedField(literal: Literal, at: number): SyntaxFault {
  const from = placeIn(literal, at);
  return fault("f-string: expecting '}'", { from, to: Math.min(from + 1, literal.token.to) });
}

function readValue(cursor: Cursor, literal: Literal, from: number, to: number): Expression {
  const { token } = literal;
  const tokens = scanPiece(token.text, from, to, token.from);
  if (tokens.length === 1) {
    const place = placeIn(literal, from);
    throw fault("f-string: empty expression not allowed", { from: place, to: place + 1 });
  }
  const inner = cursorOn(cursor, tokens);
  const value = inner.rules.rowOrYield(inner);
  if (inner.hasYield) cursor.hasYield = true;
  if (inner.token.kind !== "end") throw invalidSyntax(inner);
  return value;
}

/** Reads the format specification of a field, with escapes replaced, and returns its end. */
function readSpecification(
  cursor: Cursor,
  literal: Literal,
  from: number,
  parts: FormatPart[],
): number {
  const { token, to } = literal;
  let start = from;
  let at = from;
  while (at < to && token.text.charAt(at) !== "}") {
    if (token.text.charAt(at) !== "{") {
      at += 1;
      continue;
    }
    if (at > start) parts.push(token.text.slice(start, at));
    start = readField(cursor, literal, at, parts);
    at = start;
  }
  if (at > start) parts.push(token.text.slice(start, at));
  return at;
}
