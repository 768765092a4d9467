import type { Span } from "#core/diagnostics";

/** Token of a condition; `unknown` for a character that starts none. */
export interface Token {
  readonly kind: "word" | "number" | "text" | "sign" | "end" | "unknown";
  readonly text: string;
  readonly span: Span;
}

/** Names of the collectives, the only words that may contain hyphens. */
export const collectives = [
  ...["all-gather", "reduce-scatter", "all-reduce", "all-to-all", "collective-permute"],
  ...["slice", "exchange"],
] as const;

const patterns: readonly (readonly [Token["kind"], RegExp])[] = [
  ["word", /(?:all-gather|reduce-scatter|all-reduce|all-to-all|collective-permute)(?![\w-])/uy],
  ["number", /\d+(?:\.\d+)?(?:e[+-]?\d+)?/uy],
  ["word", /[\p{L}_][\p{L}\p{N}_]*(?:[#[][\p{L}\p{N}_]*\]?)*/uy],
  ["text", /"[^"\n]*"/uy],
  ["sign", /!=|<=|>=|[=≠<≤>≥+\-*×/().,]/uy],
];

/** Tokens of a condition without whitespace; the last is `end`. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    if (/\s/u.test(source.charAt(at))) {
      at += 1;
      continue;
    }
    const token = tokenAt(source, at);
    tokens.push(token);
    at = token.span.to;
  }
  return [...tokens, { kind: "end", text: "", span: { from: source.length, to: source.length } }];
}

function tokenAt(source: string, from: number): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = from;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined && text !== "")
      return { kind, text, span: { from, to: from + text.length } };
  }
  const text = String.fromCodePoint(source.codePointAt(from) ?? 0);
  return { kind: "unknown", text, span: { from, to: from + text.length } };
}
