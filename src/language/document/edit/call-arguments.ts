import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";

/** An argument of a call as written. */
export interface CallArgument {
  /** Keyword; absent for a positional argument. */
  readonly name?: string;
  readonly span: Span;
  /** Span of the value; equals `span` for a positional argument. */
  readonly valueSpan: Span;
}

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * Arguments between the brackets of a call, in order, without commas, comments and surrounding
 * space. The call's span runs from its name to its closing bracket.
 */
export function callArguments(source: string, call: Span): readonly CallArgument[] {
  const open = source.indexOf("(", call.from);
  if (open < 0 || open >= call.to) return [];
  const found: CallArgument[] = [];
  let piece: Span | undefined;
  const close = () => {
    if (piece !== undefined) found.push(argumentIn(source, piece));
    piece = undefined;
  };
  for (let at = open + 1; at < call.to - 1; ) {
    const next = wordEnd(source, at, call.to - 1);
    const char = source[at] ?? "";
    if (char === ",") close();
    else if (!/[\s#\\]/u.test(char)) piece = { from: piece?.from ?? at, to: next };
    at = next;
  }
  close();
  return found;
}

/** End offset of the comment, string, bracket or single character at an offset. */
function wordEnd(source: string, at: number, end: number): number {
  const char = source[at] ?? "";
  if (char === "#") return Math.min(end, indexOrEnd(source, "\n", at, end));
  if (char === '"' || char === "'") return Math.min(end, stringEnd(source, at, end));
  const closing = fieldOf(pairs, char);
  if (closing === undefined) return at + 1;
  let inside = at + 1;
  while (inside < end && source[inside] !== closing) inside = wordEnd(source, inside, end);
  return Math.min(end, inside + 1);
}

function stringEnd(source: string, at: number, end: number): number {
  const quote = source[at] ?? "";
  const mark = source.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let inside = at + mark.length;
  while (inside < end && !source.startsWith(mark, inside)) {
    inside += source[inside] === "\\" ? 2 : 1;
  }
  return inside + mark.length;
}

function indexOrEnd(source: string, text: string, from: number, end: number): number {
  const at = source.indexOf(text, from);
  return at < 0 ? end : at;
}

function argumentIn(source: string, span: Span): CallArgument {
  const text = source.slice(span.from, span.to);
  const named = /^([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)\s*/u.exec(text);
  if (named === null) return { span, valueSpan: span };
  const [lead, name = ""] = named;
  return { name, span, valueSpan: { from: span.from + lead.length, to: span.to } };
}
