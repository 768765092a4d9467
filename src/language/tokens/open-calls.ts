import type { Token } from "./token.ts";

/** A bracket that is open at a position. */
export interface OpenBracket {
  readonly bracket: "(" | "[" | "{";
  /** Offset of the bracket. */
  readonly at: number;
  /**
   * Dotted name of the callee: `ops.matmul`, or `.shard` of a result; absent when it is no call.
   */
  readonly callee?: string;
  readonly calleeFrom?: number;
  /** Number of commas inside this bracket before the position. */
  readonly index: number;
  /** Start offset of the item at the position. */
  readonly itemFrom: number;
  /** Keyword (`name=`) of that item, if it is before the position. */
  readonly keyword?: string;
  readonly keywordFrom?: number;
}

/**
 * Brackets open at an offset, outermost first. It uses tokens only, so it works while the text is
 * being typed. A name at the start of a line ends all brackets before it.
 */
export function openBracketsAt(
  source: string,
  tokens: readonly Token[],
  offset: number,
): readonly OpenBracket[] {
  let open: OpenBracket[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.from >= offset) break;
    const text = source.slice(token.from, token.to);
    const startsLine = token.from === 0 || source[token.from - 1] === "\n";
    if (startsLine && /^[\w@]/.test(text)) open = [];
    const top = open.at(-1);
    if (token.kind === "punctuation" && /^[([{]$/.test(text)) {
      open.push(opened(source, tokens, index));
    } else if (token.kind === "punctuation" && /^[)\]}]$/.test(text)) open.pop();
    else if (top === undefined) continue;
    else if (text === ",") open[open.length - 1] = nextItem(top, token);
    else if (text === "=" && top.bracket === "(") {
      open[open.length - 1] = { ...top, ...keywordBefore(source, tokens[index - 1], top) };
    }
  }
  return open;
}

function nextItem({ keyword, keywordFrom, ...bracket }: OpenBracket, comma: Token): OpenBracket {
  return { ...bracket, index: bracket.index + 1, itemFrom: comma.to };
}

function keywordBefore(
  source: string,
  name: Token | undefined,
  { itemFrom }: OpenBracket,
): Pick<OpenBracket, "keyword" | "keywordFrom"> {
  if (name === undefined || source.slice(itemFrom, name.from).trim() !== "") return {};
  return { keyword: source.slice(name.from, name.to), keywordFrom: name.from };
}

function opened(source: string, tokens: readonly Token[], index: number): OpenBracket {
  const token = tokens[index];
  const at = token?.from ?? 0;
  const text = source[at];
  const bracket = text === "[" || text === "{" ? text : "(";
  const base = { bracket, at, index: 0, itemFrom: at + 1 } as const;
  if (bracket !== "(") return base;
  const from = calleeStart(source, tokens, index);
  if (from === undefined) return base;
  const callee = source.slice(from, at).replace(/\s+/g, "");
  return { ...base, callee, calleeFrom: from };
}

/** Start offset of the dotted name that ends before a token; `undefined` without one. */
function calleeStart(source: string, tokens: readonly Token[], index: number): number | undefined {
  let from: number | undefined;
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (token === undefined || next === undefined) break;
    if (/\n/.test(source.slice(token.to, next.from)) || token.to < next.from) break;
    const text = source.slice(token.from, token.to);
    const isName = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text) && token.kind !== "keyword";
    const isDot = text === "." && from !== undefined;
    if (!isName && !isDot) break;
    if (isName && from !== undefined && source[from] !== ".") break;
    from = token.from;
  }
  return from;
}
