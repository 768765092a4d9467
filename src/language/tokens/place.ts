import type { Span } from "#core/diagnostics";
import { type OpenBracket, openBracketsAt } from "./open-calls.ts";
import type { Token } from "./token.ts";

/** A place of a text as a reader means it. */
export interface TextPlace {
  readonly offset: number;
  /** The token around the offset, else the one that ends there. */
  readonly token: Token | undefined;
  /** Its text; empty without one. */
  readonly text: string;
  /** The brackets open before the token, outermost first. */
  readonly open: readonly OpenBracket[];
}

/** The place of an offset, for what the pointer is on. */
export function placeAt(
  { source, tokens }: { readonly source: string; readonly tokens: readonly Token[] },
  offset: number,
): TextPlace {
  const around = tokens.find(({ from, to }) => from <= offset && offset < to);
  const isMark = around?.kind === "punctuation" || around?.kind === "operator";
  const before = tokens.find(({ to }) => to === offset);
  const token = around === undefined || (isMark && before !== undefined) ? before : around;
  const text = token === undefined ? "" : source.slice(token.from, token.to);
  const open = openBracketsAt(source, tokens, token?.from ?? offset);
  return { offset, token, text, open };
}

/** The innermost call around a place: its bracket, and the positions in brackets inside it. */
export interface CallPlace {
  readonly call: OpenBracket & { readonly callee: string; readonly calleeFrom: number };
  /** The last part of what is called: `matmul` of `ops.matmul`. */
  readonly word: string;
  /** Positions inside the call, outermost first: its argument, then items of nested brackets. */
  readonly path: readonly number[];
}

/** The innermost call among the brackets that are open at a place. */
export function callAround(open: readonly OpenBracket[]): CallPlace | undefined {
  for (let at = open.length - 1; at >= 0; at -= 1) {
    const call = open[at];
    const { callee, calleeFrom } = call ?? {};
    if (call === undefined || callee === undefined || calleeFrom === undefined) continue;
    const word = callee.split(".").at(-1) ?? callee;
    return {
      call: { ...call, callee, calleeFrom },
      word,
      path: open.slice(at).map(({ index }) => index),
    };
  }
  return undefined;
}

/** The inside of a string token, and whether its closing quote is there. */
export function insideOf(
  source: string,
  { from, to }: Span,
): {
  readonly span: Span;
  readonly text: string;
  readonly quote: string;
  readonly isClosed: boolean;
} {
  const whole = source.slice(from, to);
  const opening = /^[a-zA-Z]{0,2}("""|'''|["'])/.exec(whole);
  const quote = opening?.[1] ?? '"';
  const start = from + (opening?.[0].length ?? 0);
  const isClosed = to - quote.length >= start && whole.endsWith(quote);
  const span = { from: start, to: isClosed ? to - quote.length : to };
  return { span, text: source.slice(span.from, span.to), quote, isClosed };
}

/**
 * The part of a string token that a completion replaces: all of its inside, or, without a closing
 * quote, the text before the caret and the rest of the word, since what follows is no part of it.
 */
export function typedInside(source: string, token: Span, offset: number): Span {
  const { span, isClosed } = insideOf(source, token);
  return isClosed ? span : { from: span.from, to: typedEnd(source, offset) };
}

/** The end of the word that a caret is in, or the caret. */
export function typedEnd(source: string, offset: number): number {
  const rest = /^[\p{L}\p{N}_]*/u.exec(source.slice(offset, offset + 200))?.[0] ?? "";
  return offset + rest.length;
}

/** Whether an offset is in a span or at its end. */
export function contains({ from, to }: Span, offset: number): boolean {
  return from <= offset && offset <= to;
}
