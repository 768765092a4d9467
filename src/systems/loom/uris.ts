const base = "http://tensortapestry.org/schemas/loom/2024-01/";

/** Kind of a LoomGraph's node; the operation dialect has tensors and operations only. */
export type NodeKind = "Tensor" | "Operation" | "Application" | "Note";

export type TagKind = "IPFSignature" | "IPFIndex" | "IOSequencePoint";

const nodeKinds: readonly NodeKind[] = ["Tensor", "Operation", "Application", "Note"];

export const tagKinds: readonly TagKind[] = ["IPFSignature", "IPFIndex", "IOSequencePoint"];

/** Type URI of a node kind in documents (loom.md §1.2). */
export function nodeTypeOf(kind: NodeKind): string {
  return `${base}node_types.jsd#/nodes/${kind}`;
}

/** Tag key in documents. */
export function tagTypeOf(kind: TagKind): string {
  return `${base}tag_types.jsd#/tags/${kind}`;
}

/** The kind for a node type; types are compared letter by letter. */
export function nodeKindOf(type: string): NodeKind | undefined {
  return nodeKinds.find((kind) => nodeTypeOf(kind) === type);
}

export function tagKindOf(type: string): TagKind | undefined {
  return tagKinds.find((kind) => tagTypeOf(kind) === type);
}

/** The type meant by an alias (`loom:Tensor`, `Tensor`) or a near miss. */
export function meantType(type: string): string | undefined {
  const word = /[A-Za-z]+$/.exec(type)?.[0].toLowerCase();
  const node = nodeKinds.find((kind) => kind.toLowerCase() === word);
  const tag = tagKinds.find((kind) => kind.toLowerCase() === word);
  return (node && nodeTypeOf(node)) ?? (tag && tagTypeOf(tag));
}
