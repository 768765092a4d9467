import { contextOf, type LoomDocument, spanOf, titleOf } from "../document.ts";
import type { LoomId, LoomNode } from "../graph.ts";
import { type Constraint, type Finding, finding } from "../issue.ts";
import type { JsonPath } from "../json-node.ts";
import { type NodeKind, nodeTypeOf } from "../uris.ts";

/** A reference from a part of a node to another node. */
export interface Reference {
  readonly constraint: Constraint;
  readonly from: LoomNode;
  readonly path: JsonPath;
  /** Path of the id itself inside the node. */
  readonly idPath: JsonPath;
  readonly to: LoomId;
  readonly kind: NodeKind;
  /** Loom's name for the referring node, used in its messages. */
  readonly owner: string;
}

/** The fault of a reference: a missing node, or one of another kind. */
export function checkReference(document: LoomDocument, reference: Reference): Finding | undefined {
  const target = document.nodes.get(reference.to);
  if (target?.kind === reference.kind) return undefined;
  const { constraint, from, path, idPath, to, kind, owner } = reference;
  const expected = nodeTypeOf(kind);
  const wanted = kind.toLowerCase();
  return finding({
    type: "NodeReferenceError",
    constraint,
    summary:
      target === undefined
        ? "Referenced node does not exist"
        : "Referenced node has the wrong type",
    params:
      target === undefined
        ? { nodeId: to, nodeType: expected }
        : { nodeId: to, expectedType: expected, actualType: nodeTypeOf(target.kind) },
    contexts: [
      contextOf(document, "Reference", from.id, path),
      contextOf(document, owner, from.id),
    ],
    message:
      target === undefined
        ? `${titleOf(from)} refers to the ${wanted} ${to}, which does not exist`
        : `${titleOf(from)} refers to ${titleOf(target)} as ${articled(kind)}, but it is ${articled(target.kind)}`,
    span: spanOf(document, from.id, idPath),
  });
}

function articled(kind: NodeKind): string {
  const word = kind.toLowerCase();
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
