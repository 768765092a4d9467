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
