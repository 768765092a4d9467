import type { RawGraph, RawNode } from "../envelope.ts";
import { type Finding, finding, pathText } from "../issue.ts";
import { type JsonNode, type Member, memberOf, toJson } from "../json-node.ts";
import {
  meantType,
  type NodeKind,
  nodeKindOf,
  nodeTypeOf,
  tagKindOf,
  tagKinds,
  tagTypeOf,
} from "../uris.ts";

const constraint = "TypeRestrictionConstraint";

/**
 * Checks that nodes have only the allowed kinds, and only the three known tags. Types are compared
 * letter by letter.
 */
export function checkTypes(graph: RawGraph, allowed: readonly NodeKind[]): readonly Finding[] {
  const nodes = [...graph.nodes].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return nodes.flatMap((node) => {
    const kind = nodeKindOf(node.type);
    const isAllowed = kind !== undefined && allowed.includes(kind);
    const badTags = node.tags.filter(({ name }) => tagKindOf(name) === undefined);
    return [
      ...(isAllowed ? [] : [badNode(node, allowed)]),
      ...badTags.map((tag) => badTag(node, tag)),
    ];
  });
}

function badNode(node: RawNode, allowed: readonly NodeKind[]): Finding {
  const kind = nodeKindOf(node.type);
  const kinds = allowed.join(", ");
  const message =
    kind === undefined
      ? `"${node.type}" is no type of node; a document holds the full types of ${kinds}`
      : `the operation dialect has no ${kind} nodes, only ${kinds}`;
  const span = memberOf(node.json, "type")?.value.span ?? node.json.span;
  const meant = kind === undefined ? meantType(node.type) : undefined;
  const isFixable = meant !== undefined && nodeKindOf(meant) !== undefined;
  const fix = { title: "Write the full type", edits: [{ ...span, text: `"${meant}"` }] };
  return finding({
    type: "NodeValidationError",
    constraint,
    summary: `Illegal node type: ${node.type}`,
    params: { type: node.type },
    contexts: [
      { name: "Valid Types", data: allowed.map(nodeTypeOf) },
      { name: "Node", path: pathText(node.id), data: toJson(node.json) },
    ],
    message,
    span,
    ...(isFixable && { fixes: [fix] }),
  });
}

function badTag(node: RawNode, { name, nameSpan }: Member): Finding {
  const meant = meantType(name);
  const tags = memberOf(node.json, "tags")?.value;
  const isFixable = meant !== undefined && tagKindOf(meant) !== undefined && !has(tags, meant);
  const fix = { title: "Write the full type", edits: [{ ...nameSpan, text: `"${meant}"` }] };
  return finding({
    type: "NodeValidationError",
    constraint,
    summary: `Illegal tag type: ${name}`,
    params: { type: name },
    contexts: [
      { name: "Valid Types", data: tagKinds.map(tagTypeOf) },
      { name: "Node", path: pathText(node.id, ["tags", name]), data: toJson(node.json) },
    ],
    message: `"${name}" is no tag that Loom knows; there are ${tagKinds.join(", ")}`,
    span: nameSpan,
    ...(isFixable && { fixes: [fix] }),
  });
}

function has(tags: JsonNode | undefined, name: string): boolean {
  return memberOf(tags, name) !== undefined;
}
