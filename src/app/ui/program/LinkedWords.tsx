import { type Compiled, type Linked, placesIn, shown } from "#app/state";
import { positionAt } from "#core/diagnostics";
import { useApp } from "../store-context.tsx";
import { linkedSelection } from "./use-links.ts";

/** What is pointed at: of the text, how much it made; of the canvas, the lines that made it. */
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
  const places = placesIn(compiled, linkedSelection(linked));
  const lines = new Set(places.map(({ from }) => positionAt(compiled.source, from).line));
  if (lines.size === 0) return "";
  return `${lines.size === 1 ? "line" : "lines"} ${[...lines].sort((a, b) => a - b).join(", ")}`;
}
