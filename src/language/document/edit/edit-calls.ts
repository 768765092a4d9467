import type { Span, TextEdit } from "#core/diagnostics";
import { append } from "#core/records";
import type { Document } from "../read-document.ts";
import type { PlaceCall, StrategyCall } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";

/**
 * A `strategy(…)` or `place(…)` expression of a text, with all its calls at run time (several in a
 * loop).
 */
export interface WrittenCall<Call> {
  readonly span: Span;
  readonly calls: readonly Call[];
  /** Target of each call: a name, or a pattern with `*`. */
  readonly targets: readonly string[];
}

/** The `strategy(…)` expressions of a text, each once. */
export function writtenStrategies(document: Document): readonly WrittenCall<StrategyCall>[] {
  return writtenCalls(document, document.trace.strategies, "strategy");
}

/** The `place(…)` expressions of a text, each once. */
export function writtenPlaces(document: Document): readonly WrittenCall<PlaceCall>[] {
  return writtenCalls(document, document.trace.places, "place");
}

/**
 * Groups calls by expression. Calls under another name, such as an alias, are skipped because they
 * are not edited.
 */
function writtenCalls<Call extends { readonly target: TracedTensor | string; readonly span: Span }>(
  { source, built }: Document,
  calls: readonly Call[],
  word: string,
): readonly WrittenCall<Call>[] {
  const names = new Map([...built.tracedBy].map(([name, traced]) => [traced, name]));
  const places = new Map<number, Call[]>();
  for (const call of calls) {
    if (!source.startsWith(word, call.span.from)) continue;
    append(places, call.span.from, call);
  }
  return [...places.values()].map((own) => ({
    span: own[0]?.span ?? { from: 0, to: 0 },
    calls: own,
    targets: own.map(({ target }) =>
      typeof target === "string" ? target : (names.get(target) ?? ""),
    ),
  }));
}

/**
 * Edit that removes a call which is a whole statement. A trailing comment stays, and an otherwise
 * empty block gets `pass`. `undefined` for other calls.
 */
export function statementRemoval(source: string, { from, to }: Span): TextEdit | undefined {
  const start = source.lastIndexOf("\n", from - 1) + 1;
  const next = source.indexOf("\n", to);
  const end = next < 0 ? source.length : next;
  const indent = source.slice(start, from);
  const rest = source.slice(to, end);
  if (!/^[ \t]*$/u.test(indent) || !/^[ \t]*(#.*)?\r?$/u.test(rest)) return undefined;
  if (indent !== "" && !hasSibling(source, start, end, indent)) return { from, to, text: "pass" };
  const comment = rest.search(/#/u);
  if (comment >= 0) return { from, to: to + comment, text: "" };
  return { from: start, to: Math.min(source.length, end + 1), text: "" };
}

/** Whether the previous or next line is in the same block. */
function hasSibling(source: string, start: number, end: number, indent: string): boolean {
  const before =
    source
      .slice(0, Math.max(0, start - 1))
      .split("\n")
      .at(-1) ?? "";
  const [, behind = ""] = source.slice(end).split("\n", 2);
  return [before, behind].some(
    (line) => line.startsWith(indent) && /^[^\s#]/u.test(line.slice(indent.length)),
  );
}

/**
 * Offset at which plan lines are added: after the last top-level plan statement, else at the end of
 * the text.
 */
export function planLinesAt({ source, trace }: Document): number {
  const { strategies, places } = trace;
  const ends = [...strategies, ...places].flatMap(({ span: { from, to } }) => {
    const isOwn = source.startsWith("strategy", from) || source.startsWith("place", from);
    const isStatement = from === 0 || source[from - 1] === "\n";
    const end = source.indexOf("\n", to);
    const rest = source.slice(to, end < 0 ? source.length : end);
    return isOwn && isStatement && /^[ \t]*(#.*)?\r?$/u.test(rest) ? [end < 0 ? -1 : end + 1] : [];
  });
  const last = ends.includes(-1) ? source.length : Math.max(-1, ...ends);
  return last < 0 ? source.length : last;
}

/** The edit that inserts lines at the start of a line, or at the end of the text. */
export function linesEdit({ source }: Document, at: number, lines: readonly string[]): TextEdit {
  const isBegun = at > 0 && source[at - 1] !== "\n";
  return { from: at, to: at, text: `${isBegun ? "\n" : ""}${lines.join("\n")}\n` };
}

/** Name of a tensor in a line at an offset: its variable if assigned before, else a string. */
export function targetAt(document: Document, name: string, at: number): string {
  const traced = document.built.tracedBy.get(name);
  const isVariable = traced !== undefined && document.variables.get(name) === traced;
  return isVariable && traced.span.to <= at ? name : JSON.stringify(name);
}
