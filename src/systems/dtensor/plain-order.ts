import type { Fix, Span } from "#core/diagnostics";

/** A text with the span of its `Mesh(…)`. */
export interface MeshText {
  readonly source: string;
  readonly mesh: Span;
}

/** Fix that sorts the device list of a mesh in ascending order; empty when the text has no list. */
export function plainOrder({ source, mesh }: MeshText, count: number): readonly Fix[] {
  const call = source.slice(mesh.from, mesh.to);
  const found = /\bdevices\s*=\s*(\[[^\]]*\])/u.exec(call);
  const [, list = ""] = found ?? [];
  if (found === null) return [];
  const from = mesh.from + found.index + found[0].length - list.length;
  const text = `[${Array.from({ length: count }, (_, device) => device).join(", ")}]`;
  return [{ title: "Count devices up", edits: [{ from, to: from + list.length, text }] }];
}
