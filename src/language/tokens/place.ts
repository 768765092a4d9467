import type { Span } from "#core/diagnostics";
import { type OpenBracket, openBracketsAt } from "./open-calls.ts";
import type { Token } from "./token.ts";

/** A position in a text, with its token and open brackets. */
export interface TextPlace {
  readonly offset: number;
  /** Token around the offset, else the one that ends there. */
  readonly token: Token | undefined;
  /** Text of the token; empty without one. */
  readonly text: string;
  /** The brackets open before the token, outermost first. */
  readonly open: readonly OpenBracket[];
}

/** Text position of an offset, for hovering and clicks. */
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

/** Innermost call around a position: its bracket, and item indices in the brackets inside it. */
export interface CallPlace {
  readonly call: OpenBracket & { readonly callee: string; readonly calleeFrom: number };
  /** Last part of the callee: `matmul` of `ops.matmul`. */
  readonly word: string;
  /** Indices from the call inwards: its argument, then items of nested brackets. */
  readonly path: readonly number[];
}

/** Innermost call among the open brackets; `undefined` without one. */
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

/** Inside of a string token, and whether its closing quote is present. */
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
 * Part of a string token that a completion replaces: its whole inside, or, without a closing quote,
 * the text up to the end of the current word, since later text does not belong to it.
 */
export function typedInside(source: string, token: Span, offset: number): Span {
  const { span, isClosed } = insideOf(source, token);
  return isClosed ? span : { from: span.from, to: typedEnd(source, offset) };
}

/** End of the word at a caret; the caret itself when there is none. */
export function typedEnd(source: string, offset: number): number {
  const rest = /^[\p{L}\p{N}_]*/u.exec(source.slice(offset, offset + 200))?.[0] ?? "";
  return offset + rest.length;
}

/** Whether an offset is in a span or at its end. */
export function contains({ from, to }: Span, offset: number): boolean {
  return from <= offset && offset <= to;
}
