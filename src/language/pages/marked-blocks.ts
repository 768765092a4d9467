/** Range of code lines on a page, `[from, to)`, with its mark. */
export interface Lines {
  readonly from: number;
  readonly to: number;
  /** Range that includes the lines of the marks. */
  readonly outer: { readonly from: number; readonly to: number };
  /** Language named by the mark; empty without one. */
  readonly language: string;
}

/** Marked code: Markdown fences, reST directives and `::`, prompts of a session. */
export function markedLines(lines: readonly string[]): readonly Lines[] {
  const found: Lines[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = fenced(lines, at) ?? directive(lines, at) ?? session(lines, at);
    if (block !== undefined) found.push(block);
    at = block?.outer.to ?? at + 1;
  }
  return found;
}

function fenced(lines: readonly string[], at: number): Lines | undefined {
  const mark = /^\s*(`{3,}|~{3,})(?!~)([^`]*)$/.exec(lines[at] ?? "");
  if (mark === null) return undefined;
  const [, fence = "", words = ""] = mark;
  const [, language = ""] = /^(?:\{[\w-]+\}\s*)?([\w+-]*)/.exec(words.trim()) ?? [];
  const isEnd = (line: string) => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim());
  const end = lines.findIndex((line, index) => index > at && isEnd(line));
  const to = end < 0 ? lines.length : end;
  const outer = { from: at, to: Math.min(to + 1, lines.length) };
  return { from: at + 1, to, outer, language };
}

function directive(lines: readonly string[], at: number): Lines | undefined {
  const line = lines[at] ?? "";
  const mark = /^\s*\.\.\s+(?:code-block|code|sourcecode|testcode|ipython)::\s*([\w+-]*)/.exec(
    line,
  );
  if (mark === null && !/(?:^|[\w)\s.])::\s*$/.test(line)) return undefined;
  const depth = depthOf(line);
  let from = at + 1;
  while (mark !== null && /^\s+:[\w-]+:/.test(lines[from] ?? "")) from += 1;
  while (from < lines.length && isBlank(lines[from])) from += 1;
  let to = from;
  while (to < lines.length && (isBlank(lines[to]) || depthOf(lines[to] ?? "") > depth)) to += 1;
  while (to > from && isBlank(lines[to - 1])) to -= 1;
  if (to === from) return undefined;
  return { from, to, outer: { from: at, to }, language: mark?.[1] ?? "" };
}

/** A session: lines from `>>>` on, with further input, output, and inputs after a blank line. */
function session(lines: readonly string[], at: number): Lines | undefined {
  if (!/^\s*>>>(?:\s|$)/.test(lines[at] ?? "")) return undefined;
  let to = at + 1;
  for (let next = to; next < lines.length; next += 1) {
    if (isPrompt(lines[next])) to = next + 1;
    else if (isBlank(lines[next]) && !isPrompt(lines[next + 1])) break;
  }
  return { from: at, to, outer: { from: at, to }, language: "pycon" };
}

export function isPrompt(line: string | undefined): boolean {
  return line !== undefined && /^\s*(?:>>>|\.\.\.)(?:\s|$)/.test(line);
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function depthOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}
