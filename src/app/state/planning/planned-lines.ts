import type { Compiled, TensorView } from "#compile";
import type { Span } from "#core/diagnostics";

const linesOf = (source: string) => source.split("\n");

/** The lines that plans have written, after another plan has changed the text. */
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

/** The known lines that are still in a text. A line that vanishes once is dropped for good. */
export function keptLines(
  known: ReadonlySet<string>,
  { source }: { readonly source: string },
): ReadonlySet<string> {
  if (known.size === 0) return known;
  const lines = new Set(linesOf(source));
  const kept = [...known].filter((line) => lines.has(line));
  return kept.length === known.size ? known : new Set(kept);
}

/**
 * Ids of the operators and tensors whose strategy an applied plan set: those set on lines that the
 * plan wrote.
 */
export function plannedIn(known: ReadonlySet<string>, compiled: Compiled): ReadonlySet<string> {
  if (known.size === 0) return noIds;
  const text = compiled.planText ?? compiled.source;
  const isPlanned = ({ status, span }: Pick<TensorView, "status" | "span">) =>
    status === "set" && span !== undefined && linesAt(text, span).some((line) => known.has(line));
  return new Set<string>([
    ...[...compiled.plan.operators].flatMap(([id, plan]) => (isPlanned(plan) ? [id] : [])),
    ...compiled.tensors.flatMap((view) => (isPlanned(view) ? [view.tensor] : [])),
  ]);
}

const noIds: ReadonlySet<string> = new Set();

/** The whole lines that a span touches. */
function linesAt(text: string, { from, to }: Span): readonly string[] {
  const end = text.indexOf("\n", to);
  return linesOf(text.slice(text.lastIndexOf("\n", from - 1) + 1, end < 0 ? text.length : end));
}
