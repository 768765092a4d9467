import type { Diagnostic, Span } from "#core/diagnostics";
import type { DimAnno, Identifier, ShapeAnno } from "./annotation.ts";
import { parseIdentifier } from "./parse-identifier.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Reads the annotation of one tensor, `[from, to)` of a text; goes on behind every fault. */
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
