import { fieldOf } from "#core/records";
import { type NodeKind, nodeTypeOf, type TagKind, tagTypeOf } from "../uris.ts";

/** Meaning of a member name in an object of a LoomGraph. */
export interface LoomField {
  readonly name: string;
  readonly meaning: string;
}

/** A kind of node or of tag: its name, its URI in documents, its meaning. */
export interface LoomKind extends LoomField {
  readonly uri: string;
}

/** The types that nodes may have. */
export const nodeKinds: readonly LoomKind[] = (
  [
    ["Tensor", "A logical tensor: a dtype and a range, which need not begin at 0."],
    ["Operation", "A kernel with the parts of tensors that it reads and writes."],
    ["Application", "One shard of an operation, in the application dialect."],
    ["Note", "A message for readers, in the application dialect."],
  ] satisfies readonly (readonly [NodeKind, string])[]
).map(([name, meaning]) => ({ name, uri: nodeTypeOf(name), meaning }));

/** The tags that nodes may have. */
export const tagKinds: readonly LoomKind[] = (
  [
    ["IPFSignature", "Index projection functions: how index points touch inputs and outputs."],
    ["IPFIndex", "The range of the index space; of an application its part of it."],
    ["IOSequencePoint", "Marks where data enters or leaves the graph; its value is {}."],
  ] satisfies readonly (readonly [TagKind, string])[]
).map(([name, meaning]) => ({ name, uri: tagTypeOf(name), meaning }));

const graph = fields([
  ["id", "The graph's UUID."],
  ["nodes", "Tensors and operations; their order carries no meaning."],
]);

const node = fields([
  ["id", "The node's UUID; ids compare without case."],
  ["type", "What the node is, as a full URI."],
  ["label", "A name for readers; need not be unique."],
  ["body", "What the type asks for."],
  ["tags", "An index, a signature, or a mark of input and output."],
]);

const tensorBody = fields([
  ["dtype", "The data type, one of the allowed set."],
  ["range", "The cells: start inclusive, end exclusive."],
]);

const sides = fields([
  ["inputs", "What it reads: per name a list of selections."],
  ["outputs", "What it writes: per name a list of selections."],
]);

const bodies: Readonly<Record<string, readonly LoomField[]>> = {
  Tensor: tensorBody,
  Operation: [
    ...fields([
      ["kernel", "The kernel's id, in free form."],
      ["params", "Any JSON by name, handed to the kernel."],
    ]),
    ...sides,
  ],
  Application: [...fields([["operationId", "The operation that this is a shard of."]]), ...sides],
  Note: fields([["message", "The text of the note."]]),
};

const selection = fields([
  ["tensorId", "The tensor's UUID."],
  ["range", "The part of the tensor, in its own coordinates."],
]);

const range = fields([
  ["start", "The first index of each dim, inclusive."],
  ["end", "The last index of each dim, exclusive."],
]);

const projection = fields([
  ["affineMap", "The matrix and offset that lead an index point to a cell."],
  ["shape", "The extent of the block that one index point touches."],
]);

const affineMap = fields([
  ["projection", "One row per tensor dim, one column per index axis."],
  ["offset", "Added to the product, one entry per tensor dim."],
]);

/** Member names allowed in the object at the end of a path; empty where any name is allowed. */
export function fieldsAt(way: readonly (string | number)[], kind: string): readonly LoomField[] {
  const last = way.at(-1);
  if (way.length === 0) return graph;
  if (way.length === 2) return node;
  if (last === "body") return fieldOf(bodies, kind) ?? [];
  if (last === "range") return range;
  if (last === "affineMap") return affineMap;
  if (way[2] === "tags") return tagFieldsAt(way);
  if (typeof last === "number") return selection;
  return [];
}

function tagFieldsAt(way: readonly (string | number)[]): readonly LoomField[] {
  if (way.length === 3) return [];
  if (way.length === 4) return String(way[3]).endsWith("IPFIndex") ? range : sides;
  return typeof way.at(-1) === "number" ? projection : [];
}

function fields(rows: readonly (readonly [string, string])[]): readonly LoomField[] {
  return rows.map(([name, meaning]) => ({ name, meaning }));
}
