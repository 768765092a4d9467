import type { Span } from "#core/diagnostics";
import type { Status } from "#core/ir";

const linesOf = (source: string) => source.split("\n");

/** The lines that a plan has written once a text has become another one by it. */
export function withWritten(
  known: ReadonlySet<string>,
  before: string,
  after: string,
): ReadonlySet<string> {
  const old = new Set(linesOf(before));
  return new Set(
    linesOf(after).filter((line) => line.trim() !== "" && (known.has(line) || !old.has(line))),
  );
}

/** Those of them that still stand in a text. What is gone once is not known any more. */
export function keptLines(
  known: ReadonlySet<string>,
  { source }: { readonly source: string },
): ReadonlySet<string> {
  if (known.size === 0) return known;
  const lines = new Set(linesOf(source));
  const kept = [...known].filter((line) => lines.has(line));
  return kept.length === known.size ? known : new Set(kept);
}

/** Where a value came from: of what the text says, whether an applied plan wrote that. */
export function statusIn(
  known: ReadonlySet<string>,
  source: string,
  status: Status,
  span: Span | undefined,
): Status | "planned" {
  if (status !== "set" || span === undefined || known.size === 0) return status;
  const from = source.lastIndexOf("\n", span.from - 1) + 1;
  const end = source.indexOf("\n", span.to);
  const lines = linesOf(source.slice(from, end < 0 ? source.length : end));
  return lines.some((line) => known.has(line)) ? "planned" : status;
}
