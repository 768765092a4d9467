import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { IssueContext } from "#systems/system/graph";
import type { LoomGraph, LoomId, LoomNode, Selection, Selections } from "./graph.ts";
import { pathText } from "./issue.ts";
import { type JsonNode, type JsonPath, memberOf, nodeAt, toJson } from "./json-node.ts";
import type { NodeKind } from "./uris.ts";

/** A graph with the JSON that each node was read from. */
export interface LoomDocument {
  readonly graph: LoomGraph;
  readonly nodes: ReadonlyMap<LoomId, LoomNode>;
  readonly json: ReadonlyMap<LoomId, JsonNode>;
}

export type Side = "inputs" | "outputs";

/** A selection with its place in the node. */
export interface Slot {
  readonly side: Side;
  readonly name: string;
  readonly position: number;
  readonly selection: Selection;
  readonly path: JsonPath;
}

/** The nodes of one kind, by id. */
export function nodesOf<Kind extends NodeKind>(
  document: LoomDocument,
  kind: Kind,
): readonly Extract<LoomNode, { kind: Kind }>[] {
  const nodes = nodesIn(document, kind);
  return [...nodes].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** The nodes of one kind in the order of the text. */
export function nodesIn<Kind extends NodeKind>(
  { graph }: LoomDocument,
  kind: Kind,
): readonly Extract<LoomNode, { kind: Kind }>[] {
  const isKind = (node: LoomNode): node is Extract<LoomNode, { kind: Kind }> => node.kind === kind;
  return graph.nodes.filter(isKind);
}

/** All selections of a node: inputs first, names in the order of the alphabet. */
export function slotsOf(node: Selections): readonly Slot[] {
  return [...slotsAt(node, "inputs"), ...slotsAt(node, "outputs")];
}

/** The selections of one side of a node, names in the order of the alphabet. */
export function slotsAt(node: Selections, side: Side): readonly Slot[] {
  return namesOf(node[side]).flatMap((name) =>
    (node[side].get(name) ?? []).map((selection, position) => {
      return { side, name, position, selection, path: ["body", side, name, position] };
    }),
  );
}

/** The names of a map in the order of the alphabet. */
export function namesOf(map: ReadonlyMap<string, unknown>): readonly string[] {
  return [...map.keys()].sort();
}

/** `the inputs "x", "y"` or `no inputs`. */
export function listed(side: Side, names: readonly string[]): string {
  if (names.length === 0) return `no ${side}`;
  return `the ${side} ${names.map((name) => `"${name}"`).join(", ")}`;
}

/** `1 row`, `2 rows`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Name of a node in messages: its label, else its kernel, else its id. */
export function titleOf(node: LoomNode): string {
  const kernel = node.kind === "Operation" ? node.kernel : undefined;
  return `"${node.label ?? kernel ?? node.id}"`;
}

/** A part of a node as a context of an issue. */
export function contextOf(
  { json }: LoomDocument,
  name: string,
  id: LoomId,
  path: JsonPath = [],
): IssueContext {
  const root = json.get(id);
  const found = root && nodeAt(root, path);
  const data: Json | undefined = found && toJson(found);
  return { name, path: pathText(id, path), ...(data !== undefined && { data }) };
}

/** Span of a part of a node in the text; if the part is missing, the span of the node's head. */
export function spanOf({ json }: LoomDocument, id: LoomId, path: JsonPath = []): Span | undefined {
  const root = json.get(id);
  if (root === undefined) return undefined;
  const found = path.length === 0 ? undefined : nodeAt(root, path);
  return found?.span ?? headSpan(root);
}

/** The few words by which a reader knows a node: its label, else its id. */
export function headSpan(json: JsonNode): Span {
  const head = memberOf(json, "label") ?? memberOf(json, "id");
  return head?.value.span ?? json.span;
}
