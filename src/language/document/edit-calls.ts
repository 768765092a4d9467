import type { Span, TextEdit } from "#core/diagnostics";
import { append } from "#core/records";
import type { Document } from "./read-document.ts";
import type { PlaceCall, StrategyCall } from "./trace.ts";
import type { TracedTensor } from "./traced.ts";

/** A `strategy(…)` or `place(…)` of a text; one in a loop has been called several times. */
export interface WrittenCall<Call> {
  readonly span: Span;
  readonly calls: readonly Call[];
  /** What each call speaks of: a name, or names with `*`. */
  readonly targets: readonly string[];
}

/** The calls of `strategy` in a text, each place once. */
export function writtenStrategies(document: Document): readonly WrittenCall<StrategyCall>[] {
  return writtenCalls(document, document.trace.strategies, "strategy");
}

/** The calls of `place` in a text, each place once. */
export function writtenPlaces(document: Document): readonly WrittenCall<PlaceCall>[] {
  return writtenCalls(document, document.trace.places, "place");
}

/** Calls by another name, as of a word that the text binds anew, are nobody's to edit. */
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
 * The edit that takes out a call which is a statement on lines of its own; the comment behind it
 * stays, and a block that had nothing else keeps a `pass`. `undefined` of any other call.
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

/** Whether the line before or behind stands in the same block. */
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
 * Where lines of the plan go: behind the last statement of the module that is one, else at the end
 * of the text.
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

/** The edit that writes lines at a place where a line begins, or at the end. */
export function linesEdit({ source }: Document, at: number, lines: readonly string[]): TextEdit {
  const isBegun = at > 0 && source[at - 1] !== "\n";
  return { from: at, to: at, text: `${isBegun ? "\n" : ""}${lines.join("\n")}\n` };
}

/** How a line at a place of the text names a tensor: by a variable that stands by then, or a text. */
export function targetAt(document: Document, name: string, at: number): string {
  const traced = document.built.tracedBy.get(name);
  const isVariable = traced !== undefined && document.variables.get(name) === traced;
  return isVariable && traced.span.to <= at ? name : JSON.stringify(name);
}
