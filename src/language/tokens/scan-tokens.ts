import type { Token, TokenKind } from "./token.ts";

const keywords: ReadonlySet<string> = new Set(
  (
    "and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
const constants: ReadonlySet<string> = new Set(["True", "False", "None"]);

const pattern =
  /(#[^\n]*)|([rRbBuUfF]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))|(\d[\w.]*)|([\p{L}_][\p{L}\p{N}_]*)|([-+*/%@<>=!&|^~]+)|([()[\]{}.,:;])|(\S)/gu;

const kinds: readonly TokenKind[] = [
  "comment",
  "string",
  "number",
  "name",
  "operator",
  "punctuation",
  "invalid",
];

/**
 * Tokens by a regular expression alone, for text that the grammar cannot parse or that is shown
 * before the grammar is loaded. Functions, properties and parameters are plain names.
 *
 * @param offset offset of the text, added to every position
 */
export function scanTokens(text: string, offset = 0): readonly Token[] {
  return [...text.matchAll(pattern)].map(({ index, 0: token, ...groups }) => {
    const at = kinds.findIndex((_, kind) => groups[kind + 1] !== undefined);
    const from = offset + index;
    return { from, to: from + token.length, kind: wordKind(token, kinds[at] ?? "invalid") };
  });
}

function wordKind(token: string, kind: TokenKind): TokenKind {
  if (kind !== "name") return kind;
  if (constants.has(token)) return "constant";
  return keywords.has(token) ? "keyword" : "name";
}
