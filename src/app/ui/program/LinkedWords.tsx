import { type Linked, linkedPlaces, shown } from "#app/state";
import type { Compiled } from "#compile";
import { positionAt } from "#core/diagnostics";
import { useApp } from "../store-context.tsx";

/**
 * The linked parts in words: for a place of the text, the number of parts that it made; for a card,
 * the lines that made it.
 */
export function LinkedWords() {
  const linked = useApp((state) => state.linked);
  const compiled = useApp(shown);
  if (linked === undefined || compiled === undefined) return null;
  const words = linked.by === "text" ? madeText(linked, compiled) : linesText(linked, compiled);
  if (words === "") return null;
  return (
    <span className="linked-words" data-testid="linked" aria-hidden="true">
      <code>{linked.name}</code>
      {words}
    </span>
  );
}

function madeText({ operators, tensors }: Linked, { graph }: Compiled): string {
  const count = graph.operators.filter(({ id }) => operators.has(id)).length;
  if (count > 0) return count === 1 ? "1 operator" : `${count} operators`;
  return tensors.size === 1 ? "1 tensor" : `${tensors.size} tensors`;
}

function linesText(linked: Linked, compiled: Compiled): string {
  const places = linkedPlaces(compiled, linked);
  const lines = [...new Set(places.map(({ from }) => positionAt(compiled.source, from).line))];
  if (lines.length === 0) return "";
  return `${lines.length === 1 ? "line" : "lines"} ${rangesText(lines)}`;
}

/** `17–24, 44`: sorted line numbers as ranges. */
function rangesText(lines: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.to === line - 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}
