import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { Expression } from "./syntax.ts";
import type { Token } from "./tokens.ts";

/** Syntax fault found during parsing; ends the statement that contains it. */
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

/** Position of the parser in a line. */
export interface Cursor {
  /** Text being parsed, for fault messages. */
  readonly source: string;
  /** Line number of an offset, from 1. */
  readonly lineOf: (offset: number) => number;
  /** Tokens of the line; the last one is its end. */
  tokens: readonly Token[];
  at: number;
  /** The token at `at`. */
  token: Token;
  /** End offset of the previous token. */
  end: number;
  /** Number of open brackets, operators and blocks around the position. */
  depth: number;
  /** Enclosing class, which owns the private names (`__x`) inside it. */
  owner: string | undefined;
  /** Whether a `yield` was read. */
  hasYield: boolean;
  /** Expression rules, called by parts of the grammar that contain expressions. */
  readonly rules: Rules;
}

/** Kinds of expressions that other parts of the grammar contain. */
export interface Rules {
  /** One expression. */
  readonly expression: (cursor: Cursor) => Expression;
  /** One expression, or the binding of a name to one (`x := y`). */
  readonly named: (cursor: Cursor) => Expression;
  /** An expression without conditional or `lambda`: `or` and operators that bind more tightly. */
  readonly disjunction: (cursor: Cursor) => Expression;
  /** Targets after `for`: expressions without operators, since `in` would be one. */
  readonly targets: (cursor: Cursor) => Expression;
  /** Comma-separated expressions, possibly starred, or a `yield`. */
  readonly rowOrYield: (cursor: Cursor) => Expression;
}

const none: Token = { kind: "end", text: "", from: 0, to: 0 };

/** Moves the cursor to the first of other tokens. */
export function enterTokens(cursor: Cursor, tokens: readonly Token[]): void {
  cursor.tokens = tokens;
  cursor.at = 0;
  cursor.token = tokens[0] ?? none;
  cursor.end = cursor.token.from;
}

/** Copy of a cursor on other tokens of the same text. */
export function cursorOn(cursor: Cursor, tokens: readonly Token[]): Cursor {
  const inner = { ...cursor };
  enterTokens(inner, tokens);
  return inner;
}

/** Consumes the current token; the end token is never passed. */
export function advance(cursor: Cursor): Token {
  const { token } = cursor;
  const next = cursor.tokens[cursor.at + 1];
  if (next === undefined) return token;
  cursor.at += 1;
  cursor.end = token.to;
  cursor.token = next;
  return token;
}

/** Consumes the current token if its text is the given one. */
export function take(cursor: Cursor, text: string): boolean {
  if (cursor.token.text !== text) return false;
  advance(cursor);
  return true;
}

/** Consumes a token with the given text; a syntax fault for any other. */
export function expect(cursor: Cursor, text: string): Token {
  if (cursor.token.text !== text) throw invalidSyntax(cursor);
  return advance(cursor);
}

/** Consumes a name, with its span in the text and mangled name. */
export function takeName(cursor: Cursor): { readonly name: string; readonly nameSpan: Span } {
  const { token } = cursor;
  if (token.kind !== "name") throw invalidSyntax(cursor);
  advance(cursor);
  return { name: nameOf(cursor, token), nameSpan: spanOf(token) };
}

/** Name of a token; inside a class `__x` becomes `_Class__x`. */
export function nameOf({ owner }: Cursor, { text }: Token): string {
  const isPrivate = owner !== undefined && text.startsWith("__") && !text.endsWith("__");
  return isPrivate ? `_${owner.replace(/^_+/, "")}${text}` : text;
}

const starters: ReadonlySet<string> = new Set(
  "( [ { - + ~ * ... not lambda None True False await".split(" "),
);

/** Whether a token may begin an expression, including a starred one. */
export function startsExpression({ kind, text }: Token): boolean {
  return kind === "name" || kind === "number" || kind === "string" || starters.has(text);
}

export function spanOf({ from, to }: Span): Span {
  return { from, to };
}

/** Span from an offset to the end of the last consumed token. */
export function spanFrom(cursor: Cursor, from: number): Span {
  return { from, to: cursor.end };
}

/** Syntax fault at the current token. */
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

/** Fault for Python syntax that is not supported. */
export function unsupported(what: string, span: Span): SyntaxFault {
  return new SyntaxFault("unsupported", `${what} is not supported here`, spanOf(span));
}

/**
 * Largest nesting depth: CPython's tokenizer stops at 200 brackets, and the evaluator recurses over
 * nested syntax.
 */
export const deepest = 200;

/** Enters a nesting level; too many levels are a fault, which resets the depth. */
export function deepen(cursor: Cursor, links = 0): void {
  if (cursor.depth + links >= deepest) throw fault("too many nested parentheses", cursor.token);
  cursor.depth += 1;
}

/** Diagnostic of a syntax fault. */
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
