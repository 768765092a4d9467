import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { Expression } from "./syntax.ts";
import type { Token } from "./tokens.ts";

/** Text that is no Python, found while it is read; ends the statement it stands in. */
export class SyntaxFault {
  readonly kind: "SyntaxError" | "IndentationError" | "TabError" | "unsupported";
  readonly message: string;
  readonly span: Span;
  readonly fixes: readonly Fix[];
  constructor(kind: SyntaxFault["kind"], message: string, span: Span, fixes: readonly Fix[] = []) {
    this.kind = kind;
    this.message = message;
    this.span = span;
    this.fixes = fixes;
  }
}

/** Where the reading of a line stands. */
export interface Cursor {
  /** The text as given, for what is said about it. */
  readonly source: string;
  /** The line of an offset in it, from 1. */
  readonly lineOf: (offset: number) => number;
  /** The tokens of the line, the last one its end. */
  tokens: readonly Token[];
  at: number;
  /** The token at `at`. */
  token: Token;
  /** Where the token before it ends. */
  end: number;
  /** How many brackets, operators and blocks are open around it. */
  depth: number;
  /** The class around it, whose private names (`__x`) are its own. */
  owner: string | undefined;
  /** Whether a `yield` was read. */
  hasYield: boolean;
  /** What reads an expression; parts of the grammar that hold expressions ask it here. */
  readonly rules: Rules;
}

/** The kinds of expressions that other parts of the grammar hold. */
export interface Rules {
  /** One expression. */
  readonly expression: (cursor: Cursor) => Expression;
  /** One expression, or the binding of a name to one (`x := y`). */
  readonly named: (cursor: Cursor) => Expression;
  /** One with `or`, `and` and whatever binds more tightly: no conditional, no `lambda`. */
  readonly disjunction: (cursor: Cursor) => Expression;
  /** Targets after `for`: expressions without operators, since `in` would be one. */
  readonly targets: (cursor: Cursor) => Expression;
  /** Expressions with commas between them, perhaps with stars, or a `yield`. */
  readonly rowOrYield: (cursor: Cursor) => Expression;
}

const none: Token = { kind: "end", text: "", from: 0, to: 0 };

/** Puts the cursor before the first of other tokens. */
export function enterTokens(cursor: Cursor, tokens: readonly Token[]): void {
  cursor.tokens = tokens;
  cursor.at = 0;
  cursor.token = tokens[0] ?? none;
  cursor.end = cursor.token.from;
}

/** A cursor on other tokens of the same text, with all else that it carries. */
export function cursorOn(cursor: Cursor, tokens: readonly Token[]): Cursor {
  const inner = { ...cursor };
  enterTokens(inner, tokens);
  return inner;
}

/** Takes the token where the cursor stands; there is always an end to stand at. */
export function advance(cursor: Cursor): Token {
  const { token } = cursor;
  const next = cursor.tokens[cursor.at + 1];
  if (next === undefined) return token;
  cursor.at += 1;
  cursor.end = token.to;
  cursor.token = next;
  return token;
}

/** Takes the token if it is the given one. */
export function take(cursor: Cursor, text: string): boolean {
  if (cursor.token.text !== text) return false;
  advance(cursor);
  return true;
}

/** Takes the given token; there must be no other. */
export function expect(cursor: Cursor, text: string): Token {
  if (cursor.token.text !== text) throw invalidSyntax(cursor);
  return advance(cursor);
}

/** The name where the cursor stands, as a place of the text and as Python knows it. */
export function takeName(cursor: Cursor): { readonly name: string; readonly nameSpan: Span } {
  const { token } = cursor;
  if (token.kind !== "name") throw invalidSyntax(cursor);
  advance(cursor);
  return { name: nameOf(cursor, token), nameSpan: spanOf(token) };
}

/** The name that a token spells; inside a class `__x` is `_Class__x`. */
export function nameOf({ owner }: Cursor, { text }: Token): string {
  const isPrivate = owner !== undefined && text.startsWith("__") && !text.endsWith("__");
  return isPrivate ? `_${owner.replace(/^_+/, "")}${text}` : text;
}

const starters: ReadonlySet<string> = new Set(
  "( [ { - + ~ * ... not lambda None True False await".split(" "),
);

/** Whether an expression, perhaps with a star, may begin with a token. */
export function startsExpression({ kind, text }: Token): boolean {
  return kind === "name" || kind === "number" || kind === "string" || starters.has(text);
}

export function spanOf({ from, to }: Span): Span {
  return { from, to };
}

/** From a place to where the last token that was taken ends. */
export function spanFrom(cursor: Cursor, from: number): Span {
  return { from, to: cursor.end };
}

/** The token where the cursor stands has no place there. */
export function invalidSyntax({ source, token }: Cursor): SyntaxFault {
  const skipped = token.kind === "end" ? lengthAt(/[ \t\f]*/y, source, token.from) : 0;
  const from = token.from + skipped;
  const length = token.kind === "end" ? 0 : lengthAt(/\w+|\S/y, source, from);
  return fault("invalid syntax", { from, to: from + length });
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

export function fault(message: string, span: Span): SyntaxFault {
  return new SyntaxFault("SyntaxError", message, spanOf(span));
}

/** Something of Python that this evaluator does not have. */
export function unsupported(what: string, span: Span): SyntaxFault {
  return new SyntaxFault("unsupported", `${what} is not supported here`, spanOf(span));
}

/** CPython's tokenizer gives up at 200 brackets; the evaluator recurses over what it reads. */
export const deepest = 200;

/** One level deeper, so that a text of a thousand brackets ends in a fault; a fault resets it. */
export function deepen(cursor: Cursor, links = 0): void {
  if (cursor.depth + links >= deepest) throw fault("too many nested parentheses", cursor.token);
  cursor.depth += 1;
}

/** The diagnostic that says what a fault says. */
export function faultDiagnostic({ kind, message, span, fixes }: SyntaxFault): Diagnostic {
  const code = {
    SyntaxError: "python/syntax-error",
    IndentationError: "python/indentation-error",
    TabError: "python/indentation-error",
    unsupported: "python/not-supported",
  } as const;
  return {
    code: code[kind],
    severity: "error",
    message,
    span,
    ...(kind === "unsupported" ? {} : { upstream: kind }),
    ...(fixes.length === 0 ? {} : { fixes }),
  };
}
