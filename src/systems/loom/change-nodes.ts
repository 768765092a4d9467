import type { Json } from "#core/dimops";
import { indentOf, written } from "./edit-json.ts";
import type { LoomGraph, LoomId, LoomNode } from "./graph.ts";
import { type ArrayNode, type JsonNode, memberOf, textOf } from "./json-node.ts";
import { readJson } from "./read-json.ts";
import { nodeJson } from "./write-loom.ts";

/** Changes to a document's list of nodes; nodes not named here stay as they are. */
export interface NodeChanges {
  /** Replacements by the id of the node replaced; an empty list removes the node. */
  readonly replaced: ReadonlyMap<LoomId, readonly LoomNode[]>;
  /** Nodes inserted after a node, by that node's id. */
  readonly added: ReadonlyMap<LoomId, readonly LoomNode[]>;
}

/**
 * Applies node changes to a LoomGraph text, in the text's own style. Nodes that are not named keep
 * every byte, order and white space included.
 */
export function changeNodes(text: string, { replaced, added }: NodeChanges): string {
  const list = nodesIn(text);
  if (list === undefined || replaced.size + added.size === 0) return text;
  const indent = indentOf(text, list.items[0]?.span.from ?? list.span.from);
  const print = (node: LoomNode) => written(text, plainNode(node), indent);
  const gaps = gapsOf(text, list);
  const kept = list.items.flatMap((item, at): readonly Part[] => {
    const id = idOf(item);
    const own = text.slice(item.span.from, item.span.to);
    const instead = id === undefined ? undefined : replaced.get(id)?.map(print);
    const behind = (id === undefined ? undefined : added.get(id)?.map(print)) ?? [];
    const [first, ...rest] = instead ?? [own];
    const before = at === 0 ? gaps.between : gaps.before(at);
    const parts = first === undefined ? [] : [{ before, text: first }];
    return [
      ...parts,
      ...[...rest, ...behind].map((each) => ({ before: gaps.between, text: each })),
    ];
  });
  const [first, ...rest] = kept;
  const { from, to } = list.span;
  const body = rest.map((part) => part.before + part.text).join("");
  const whole = first === undefined ? "" : gaps.opening + first.text + body + gaps.closing;
  return `${text.slice(0, from + 1)}${whole}${text.slice(to - 1)}`;
}

/** Text of a node in the result, with the comma and white space before it. */
interface Part {
  readonly before: string;
  readonly text: string;
}

function gapsOf(text: string, { items, span }: ArrayNode) {
  const [first, last] = [items[0]?.span, items.at(-1)?.span];
  const opening = first === undefined ? "" : text.slice(span.from + 1, first.from);
  const before = (at: number) => {
    const [one, other] = [items[at - 1]?.span, items[at]?.span];
    return one === undefined || other === undefined
      ? `,${opening}`
      : text.slice(one.to, other.from);
  };
  const closing = last === undefined ? "" : text.slice(last.to, span.to - 1);
  return { opening, before, between: before(1), closing };
}

function nodesIn(text: string): ArrayNode | undefined {
  const list = memberOf(readJson(text).tree, "nodes")?.value;
  return list?.kind === "array" ? list : undefined;
}

function idOf(item: JsonNode): LoomId | undefined {
  return textOf(memberOf(item, "id")?.value)?.toLowerCase() as LoomId | undefined;
}

function plainNode(node: LoomNode): Json {
  return JSON.parse(nodeJson(node));
}

/** Removes the nodes of some kinds from a LoomGraph text; all others keep their bytes. */
export function leaveOut(
  text: string,
  { nodes }: LoomGraph,
  kinds: readonly LoomNode["kind"][],
): string {
  const gone = nodes.filter(({ kind }) => kinds.includes(kind));
  return changeNodes(text, { replaced: new Map(gone.map(({ id }) => [id, []])), added: new Map() });
}
