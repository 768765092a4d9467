import type { TextEdit } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { Box } from "#core/indexspace";
import type { GraphEdit } from "#systems/system/graph";
import { removeJson, setJson } from "./edit-json.ts";
import { type LoomId, loomId } from "./graph.ts";
import { type JsonNode, type JsonPath, memberOf, nodeAt, textOf } from "./json-node.ts";
import { readJson } from "./read-json.ts";

/** Text edits for a change made by hand; `undefined` when the changed node or range is missing. */
export function editLoom(text: string, edit: GraphEdit): readonly TextEdit[] | undefined {
  const id = loomId(edit.node);
  const place = nodePath(text, id);
  if (place === undefined) return undefined;
  if (edit.kind === "remove-node") return removeFromNode(text, id, []);
  const { side, name, position } = edit.selection;
  const path = ["body", side, name, position, "range"];
  if (nodeAt(place.tree, [...place.path, ...path]) === undefined) return undefined;
  return editNode(text, id, path, rangeJson(edit.range));
}

/**
 * Edits that put a value at a path inside a node and leave every other byte of the text alone.
 *
 * A new member, or an item after the last, is added in the style of its neighbours. No edits when
 * the node or path does not exist.
 *
 * @param path from the node on, e.g. `["body", "inputs", "x", 0, "range"]`
 * @internal
 */
export function editNode(
  text: string,
  id: LoomId,
  path: JsonPath,
  value: Json,
): readonly TextEdit[] {
  const place = nodePath(text, id);
  return place === undefined ? [] : setJson(text, place.tree, [...place.path, ...path], value);
}

/**
 * Edits that remove a part of a node; with an empty path the node itself.
 *
 * @internal
 */
export function removeFromNode(text: string, id: LoomId, path: JsonPath): readonly TextEdit[] {
  const place = nodePath(text, id);
  return place === undefined ? [] : removeJson(place.tree, [...place.path, ...path]);
}

/** A range in the JSON form of documents. */
export function rangeJson(box: Box): { readonly start: number[]; readonly end: number[] } {
  return { start: box.map(({ start }) => start), end: box.map(({ stop }) => stop) };
}

function nodePath(text: string, id: LoomId): { tree: JsonNode; path: JsonPath } | undefined {
  const { tree } = readJson(text);
  const nodes = memberOf(tree, "nodes")?.value;
  if (tree === undefined || nodes?.kind !== "array") return undefined;
  const at = nodes.items.findIndex(
    (node) => textOf(memberOf(node, "id")?.value)?.toLowerCase() === id,
  );
  return at < 0 ? undefined : { tree, path: ["nodes", at] };
}
