import type { Diagnostic } from "#core/diagnostics";

/**
 * A text that is a list of JSON objects, or an empty list, was meant for a graph: as a program it
 * would say nothing, in silence.
 */
export function listOfNodes(source: string): readonly Diagnostic[] {
  if (!isListOfObjects(source)) return [];
  const message = 'a LoomGraph is an object, {"id": …, "nodes": […]}, not a list';
  const span = { from: source.indexOf("["), to: source.trimEnd().length };
  const edits = [
    { from: span.from, to: span.from, text: '{"nodes": ' },
    { from: span.to, to: span.to, text: "}" },
  ];
  const fixes = [{ title: "Make the list the nodes of a graph", edits }];
  return [{ code: "loom/not-an-object", severity: "error", message, span, fixes }];
}

function isListOfObjects(source: string): boolean {
  try {
    const value: unknown = JSON.parse(source.replace(/^\ufeff/, ""));
    return Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);
  } catch {
    return false;
  }
}
