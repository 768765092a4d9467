import { changeNodes } from "./change-nodes.ts";
import type { LoomGraph, LoomNode } from "./graph.ts";

/** A LoomGraph text without its nodes of some kinds; all others keep their bytes. */
export function leaveOut(
  text: string,
  { nodes }: LoomGraph,
  kinds: readonly LoomNode["kind"][],
): string {
  const gone = nodes.filter(({ kind }) => kinds.includes(kind));
  return changeNodes(text, { replaced: new Map(gone.map(({ id }) => [id, []])), added: new Map() });
}
