import type { Fix, Span } from "#core/diagnostics";

/** The line of a text that selects one of several policies or calls. */
export interface ChoiceLine {
  /** Selected name and its span; absent when the text has no such line. */
  readonly chosen?: { readonly name: string; readonly span: Span };
  /** The text without the line. */
  readonly rest: string;
  /** Edits that put another line in its place, or at the end of the text. */
  readonly writing: (line: string) => Fix["edits"];
}

/**
 * The last line of a text that matches a pattern; the pattern's first group is the selected name.
 */
export function choiceLine(source: string, pattern: RegExp): ChoiceLine {
  const found = [...source.matchAll(new RegExp(pattern, "gmu"))].at(-1);
  const name = found?.[1];
  if (found === undefined || name === undefined) {
    const lead = source.endsWith("\n") || source === "" ? "" : "\n";
    const at = source.length;
    return {
      rest: source,
      writing: (line) => [{ from: at, to: at, text: `${lead}${line}\n` }],
    };
  }
  const span = { from: found.index, to: found.index + found[0].length };
  return {
    chosen: { name, span },
    rest: source.slice(0, span.from) + source.slice(span.to),
    writing: (line) => [{ ...span, text: line }],
  };
}
