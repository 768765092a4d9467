import type { Diagnostic, Span } from "#core/diagnostics";
import type { DimAnno, Identifier, Reduction, ShapeAnno } from "./annotation.ts";

/** Reads the annotation of one tensor, `[from, to)` of a text; continues after every fault. */
export function parseShape(text: string, piece: Span, report: Diagnostic[]): ShapeAnno {
  const dims: DimAnno[] = [];
  let bracket: { readonly open: Token; readonly words: Token[] } | undefined;
  let nested = 0;
  for (const token of tokensOf(text, piece)) {
    if (token.kind === "word") {
      if (bracket !== undefined) bracket.words.push(token);
      else pushDim(dims, token.span, [token], report);
    } else if (token.kind === "open") {
      if (bracket !== undefined) {
        report.push(nestedBracket(token, bracket.open));
        nested++;
      } else bracket = { open: token, words: [] };
    } else if (bracket === undefined) {
      report.push(unopenedBracket(token));
    } else if (nested > 0) {
      nested--;
    } else {
      const span = { from: bracket.open.span.from, to: token.span.to };
      pushDim(dims, span, bracket.words, report);
      bracket = undefined;
    }
  }
  if (bracket !== undefined) report.push(unclosedBracket(bracket.open));
  return { dims, ignored: isIgnored(dims), span: spanOf(dims, piece) };
}

/** Whether a tensor is annotated by one `?` alone. */
function isIgnored(dims: readonly DimAnno[]): boolean {
  const first = dims[0]?.identifiers;
  return dims.length === 1 && first?.length === 1 && first[0]?.kind === "ignored";
}

function pushDim(dims: DimAnno[], span: Span, words: readonly Token[], report: Diagnostic[]): void {
  // Upstream compares the raw words here, so `(a *^)` passes where `(a *)` does not.
  const special = words.find((word) => word.text === "*" || word.text === "?");
  if (words.length > 1 && special !== undefined) report.push(specialInBracket(special));
  const identifiers = words.flatMap((word): Identifier[] => {
    const identifier = parseIdentifier(word, report);
    return identifier === undefined ? [] : [identifier];
  });
  if (identifiers.length > 0) dims.push({ identifiers, span });
}

function spanOf(dims: readonly DimAnno[], piece: Span): Span {
  const first = dims[0];
  const last = dims.at(-1);
  if (first === undefined || last === undefined) return piece;
  return { from: first.span.from, to: last.span.to };
}

function nestedBracket(inner: Token, outer: Token): Diagnostic {
  return {
    code: "dimops/nested-bracket",
    severity: "error",
    message: "brackets inside brackets are not allowed",
    span: inner.span,
    related: [{ message: "the outer bracket", span: outer.span }],
    upstream: "AssertionError",
  };
}

function unopenedBracket(token: Token): Diagnostic {
  return {
    code: "dimops/unopened-bracket",
    severity: "error",
    message: 'brackets are not balanced: this ")" closes nothing',
    span: token.span,
    fixes: [{ title: 'Take the ")" out', edits: [{ ...token.span, text: "" }] }],
    upstream: "AssertionError",
  };
}

function unclosedBracket(token: Token): Diagnostic {
  return {
    code: "dimops/unclosed-bracket",
    severity: "error",
    message: 'brackets are not balanced: this "(" is not closed within its tensor',
    span: token.span,
    fixes: [{ title: 'Take the "(" out', edits: [{ ...token.span, text: "" }] }],
    upstream: "AssertionError",
  };
}

function specialInBracket(word: Token): Diagnostic {
  return {
    code: "dimops/special-in-bracket",
    severity: "error",
    message: `a bracket cannot have "${word.text}" beside other identifiers`,
    span: word.span,
    upstream: "ValueError",
  };
}

/** Reads one word; a word that is no identifier is reported and left out. */
function parseIdentifier(word: Token, report: Diagnostic[]): Identifier | undefined {
  const written = reductionOf(word.text);
  const name = written === "" ? word.text : word.text.slice(0, -1);
  const kind = kindOf(name);
  if (kind === undefined) {
    report.push(notAnIdentifier(word, name));
    return undefined;
  }
  const reduction = kind === "number" || kind === "ignored" ? "^" : written;
  return { name, kind, reduction, span: word.span };
}

function reductionOf(text: string): Reduction {
  if (text.endsWith("+")) return "+";
  return text.endsWith("^") ? "^" : "";
}

function kindOf(name: string): Identifier["kind"] | undefined {
  if (name === "*") return "star";
  if (name === "?") return "ignored";
  if (isDecimal(name)) return "number";
  return isIdentifierName(name) ? "name" : undefined;
}

function notAnIdentifier(word: Token, name: string): Diagnostic {
  const base = { severity: "error", span: word.span, upstream: "AssertionError" } as const;
  if (name === "") {
    return {
      ...base,
      code: "dimops/lonely-reduction",
      message: `the reduction "${word.text}" must touch the identifier that it belongs to`,
    };
  }
  const space = [...word.text].findIndex(isPythonSpace);
  if (space >= 0) return foreignSpace(word, base);
  const fault: Diagnostic = {
    ...base,
    code: "dimops/not-an-identifier",
    message: `identifier can only be an integer, a Python identifier, "*" or "?", but got "${name}"`,
  };
  const starred = /^([\p{L}_][\p{L}\p{N}_]*)\*$/u.exec(word.text)?.[1];
  if (starred === undefined) return fault;
  const text = `${starred}+`;
  return {
    ...fault,
    fixes: [{ title: `Sum over "${starred}": ${text}`, edits: [{ ...word.span, text }] }],
  };
}

function foreignSpace(
  word: Token,
  base: Pick<Diagnostic, "severity" | "span" | "upstream">,
): Diagnostic {
  const spaced = [...word.text].map((each) => (isPythonSpace(each) ? " " : each)).join("");
  return {
    ...base,
    severity: "error",
    code: "dimops/foreign-space",
    message: `only the plain space separates dims, but "${visible(word.text)}" holds another white space`,
    fixes: [{ title: "Use a plain space", edits: [{ ...word.span, text: spaced }] }],
  };
}

function visible(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll("\u00a0", "\\u00a0");
}

/** A bracket or a run of other characters; only ASCII spaces separate. */
export interface Token {
  readonly kind: "open" | "close" | "word";
  readonly text: string;
  readonly span: Span;
}

/** The tokens of the piece `[from, to)` of a text. */
function tokensOf(text: string, piece: Span): readonly Token[] {
  const found = text.slice(piece.from, piece.to).matchAll(/[()]|[^ ()]+/g);
  return [...found].map((match): Token => {
    const from = piece.from + match.index;
    return {
      kind: tokenKindOf(match[0]),
      text: match[0],
      span: { from, to: from + match[0].length },
    };
  });
}

function tokenKindOf(text: string): Token["kind"] {
  if (text === "(") return "open";
  return text === ")" ? "close" : "word";
}

/** Whether Python's `str.isidentifier` holds (keywords are identifiers too). */
function isIdentifierName(text: string): boolean {
  return /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text);
}

/** Whether Python's `str.isdecimal` holds: one or more digits of any script. */
function isDecimal(text: string): boolean {
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
function isPythonSpace(character: string): boolean {
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
