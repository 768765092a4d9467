import type { Span } from "#core/diagnostics";
import {
  type Argument,
  type Comparison,
  type Expression,
  isTermName,
  type Kind,
  kindOf,
  partsOf,
  ruleOf,
  type TermName,
  terms,
} from "./expression.ts";
import { check, checkArgument, type Fault, Stop, stop, takesWords } from "./faults.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** A condition, or its first fault. */
export type Parsed =
  | { readonly ok: true; readonly value: Expression }
  | { readonly ok: false; readonly fault: Fault };

/**
 * Terms and numbers that one condition may have.
 *
 * @internal
 */
export const mostTerms = 40;

/** Limits of a condition's length in characters and of its nesting depth. */
const [mostCharacters, mostDepth] = [1_000, 20];

/** Parses a condition, an expression that is true or false. Never throws. */
export function parsePredicate(source: string): Parsed {
  return parsed(source, "truth");
}

/** Parses the expression of a figure: a number, or a text such as a layout. Never throws. */
export function parseFigure(source: string): Parsed {
  return parsed(source, undefined);
}

function parsed(source: string, wanted: Kind | undefined): Parsed {
  if (source.length > mostCharacters) {
    const span = { from: mostCharacters, to: source.length };
    return { ok: false, fault: { message: `longer than ${mostCharacters} characters`, span } };
  }
  try {
    const reader = new Reader(tokensOf(source));
    const value = reader.whole();
    const leaves = partsOf(value).filter(({ kind }) => /^(term|number|text)$/.test(kind));
    if (leaves.length > mostTerms) throw stop(`more than ${mostTerms} terms`, value.span);
    if (wanted !== undefined) check(value, wanted);
    else if (kindOf(value) === "truth") throw stop("this is true or false, no figure", value.span);
    return { ok: true, value };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, fault: error.fault };
    throw error;
  }
}

const comparisons: Readonly<Record<string, Comparison>> = {
  ...{ "=": "=", "≠": "≠", "!=": "≠", "<": "<" },
  ...{ "≤": "≤", "<=": "≤", ">": ">", "≥": "≥", ">=": "≥" },
};

/** Reads tokens from left to right, one token ahead. */
class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const value = this.#either();
    const next = this.#next();
    if (next.kind !== "end") throw stop(`"${next.text}" is not expected here`, next.span);
    return value;
  }

  #either(): Expression {
    return this.#joined("or", () => this.#joined("and", () => this.#one()));
  }

  #joined(by: "and" | "or", read: () => Expression): Expression {
    const first = read();
    if (!this.#isWord(by)) return first;
    const parts = [first];
    while (this.#isWord(by)) {
      this.#at += 1;
      parts.push(read());
    }
    for (const part of parts) check(part, "truth");
    return { kind: by, parts, span: around(first, parts.at(-1) ?? first) };
  }

  #one(): Expression {
    const next = this.#next();
    if (!this.#isWord("not")) return this.#comparison();
    this.#at += 1;
    const of = this.#deeper(() => this.#one(), next);
    check(of, "truth");
    return { kind: "not", of, span: { from: next.span.from, to: of.span.to } };
  }

  #comparison(): Expression {
    const left = this.#sum();
    const by = comparisons[this.#next().text];
    if (by === undefined || this.#next().kind !== "sign") return left;
    this.#at += 1;
    const right = this.#side(kindOf(left));
    const kind = kindOf(left);
    if (kind === "truth") throw stop("what is true or false is not compared", left.span);
    check(right, kind);
    const isOrder = by !== "=" && by !== "≠";
    if (kind === "text" && isOrder) throw stop("texts are compared by = and ≠ alone", right.span);
    return { kind: "compare", by, left, right, span: around(left, right) };
  }

  /**
   * The right operand of a comparison. If the left is a text, a bare word is a text too, unless
   * parentheses follow.
   */
  #side(kind: Kind): Expression {
    const next = this.#next();
    const isCall = this.#tokens[this.#at + 1]?.text === "(";
    if (kind !== "text" || next.kind !== "word" || isCall) return this.#sum();
    this.#at += 1;
    return { kind: "text", value: next.text, span: next.span };
  }

  #sum(): Expression {
    return this.#chain(["+", "-"], () => this.#chain(["*", "×", "/"], () => this.#factor()));
  }

  #chain(signs: readonly string[], read: () => Expression): Expression {
    let left = read();
    while (this.#next().kind === "sign" && signs.includes(this.#next().text)) {
      const sign = this.#take().text;
      const right = read();
      check(left, "number");
      check(right, "number");
      const by = sign === "×" ? "*" : sign === "/" || sign === "+" || sign === "*" ? sign : "-";
      left = { kind: "arithmetic", by, left, right, span: around(left, right) };
    }
    return left;
  }

  #factor(): Expression {
    const token = this.#take();
    const { span, text } = token;
    if (token.kind === "number") return { kind: "number", value: Number(text), span };
    if (token.kind === "text") return { kind: "text", value: text.slice(1, -1), span };
    if (text === "(" && token.kind === "sign") {
      const inside = this.#deeper(() => this.#either(), token);
      this.#expect(")");
      return inside;
    }
    if (token.kind !== "word") {
      const what = token.kind === "end" ? "a term is missing at the end" : `"${text}" is no term`;
      throw stop(what, span);
    }
    if (isTermName(text)) return this.#term(text, token);
    if (this.#next().text === "(" && (text === "start" || text === "best" || text === "of")) {
      return this.#elsewhere(token);
    }
    throw stop(`"${text}" is no term; there are ${Object.keys(terms).join(", ")}`, span);
  }

  /** `start(x)`, `best(x)`, `of(name, x)`: the expression evaluated on another text. */
  #elsewhere(token: Token): Expression {
    this.#expect("(");
    let text = token.text;
    if (text === "of") {
      text = this.#argument("the name of a text").text;
      this.#expect(",");
    }
    const of = this.#deeper(() => this.#sum(), token);
    const { span } = this.#expect(")");
    return { kind: "in", text, of, span: { from: token.span.from, to: span.to } };
  }

  #term(name: TermName, token: Token): Expression {
    const { takes, hasField } = ruleOf(name);
    const args = this.#next().text === "(" ? this.#arguments() : [];
    const elsewhere = this.#textOf(name, args);
    const own = elsewhere === undefined ? args : args.slice(0, -1);
    const least = takes.filter((each) => !each.endsWith("?")).length;
    if (own.length < least || own.length > takes.length) {
      throw stop(`${name} takes ${takesWords(takes)}`, token.span);
    }
    for (const [at, arg] of own.entries()) checkArgument(name, takes[at], arg);
    const field = hasField && this.#next().text === "." ? this.#field() : undefined;
    const to = this.#tokens[this.#at - 1]?.span.to ?? token.span.to;
    const span = { from: token.span.from, to };
    const term = {
      kind: "term",
      name,
      args: own,
      ...(field !== undefined && { field }),
      span,
    } as const;
    return elsewhere === undefined ? term : { kind: "in", text: elsewhere, of: term, span };
  }

  /**
   * The text in the short form `bytes(solved)` of `of(solved, bytes)`, which only numeric terms
   * without arguments have; else `undefined`.
   */
  #textOf(name: TermName, args: readonly Argument[]): string | undefined {
    const takesNothing = ruleOf(name).takes.length === 0 && ruleOf(name).gives === "number";
    return takesNothing && args.length === 1 ? args[0]?.text : undefined;
  }

  #arguments(): readonly Argument[] {
    this.#expect("(");
    const args: Argument[] = [this.#argument("a name or a number")];
    while (this.#next().text === ",") {
      this.#at += 1;
      args.push(this.#argument("a name or a number"));
    }
    this.#expect(")");
    return args;
  }

  #argument(what: string): Argument {
    const { kind, text, span } = this.#take();
    if (kind === "text") return { text: text.slice(1, -1), span };
    if (kind !== "word" && kind !== "number") throw stop(`${what} is missing`, span);
    const parts = [text];
    // Names inside modules contain points: `block.h`.
    while (this.#next().text === "." && kind === "word") {
      this.#at += 1;
      parts.push(this.#take().text);
    }
    return { text: parts.join("."), span };
  }

  #field(): string {
    this.#at += 1;
    const { kind, text, span } = this.#take();
    if (kind !== "word") throw stop("an identifier is missing behind the point", span);
    return text;
  }

  #deeper<T>(read: () => T, { span }: Token): T {
    this.#depth += 1;
    if (this.#depth > mostDepth) throw stop(`more than ${mostDepth} inside each other`, span);
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #isWord(word: string): boolean {
    const { kind, text } = this.#next();
    return kind === "word" && text === word;
  }

  #next(): Token {
    return this.#tokens[this.#at] ?? nothing;
  }

  #take(): Token {
    const token = this.#next();
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  #expect(sign: string): Token {
    const token = this.#next();
    if (token.text !== sign) throw stop(`"${sign}" is missing`, token.span);
    this.#at += 1;
    return token;
  }
}

const nothing: Token = { kind: "end", text: "", span: { from: 0, to: 0 } };

function around(first: Expression, last: Expression): Span {
  return { from: first.span.from, to: last.span.to };
}
