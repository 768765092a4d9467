import type { Fix, Span } from "#core/diagnostics";

/** A line at the end of a text that chooses what runs. */
export interface ChoiceLine {
  /** What it names, and where it stands; absent where there is none yet. */
  readonly chosen?: { readonly name: string; readonly span: Span };
  /** The text without it. */
  readonly rest: string;
  /** The edits that write a line in its place, or at the end. */
  readonly writing: (line: string) => Fix["edits"];
}

/**
 * The last line that a pattern finds, as the choice that a text makes. The first group of the
 * pattern is the name that is chosen.
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
