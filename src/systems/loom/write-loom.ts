import { isList, type Json } from "#core/dimops";
import type { Projection } from "#core/indexspace";
import { rangeJson } from "./edit-loom.ts";
import type {
  LoomGraph,
  LoomNode,
  OperationNode,
  ProjectionMap,
  SelectionMap,
  Selections,
  Tags,
} from "./graph.ts";
import { type Printable, printJson } from "./print-json.ts";
import { nodeTypeOf, type TagKind, tagTypeOf } from "./uris.ts";
import { inUuidOrder } from "./uuid.ts";

/**
 * Writes a graph as Loom does: nodes ordered by id, names in alphabetical order, empty members
 * omitted (loom.md §1.5). Reading and writing the result again gives the same text.
 */
export function writeLoom(graph: LoomGraph): string {
  return printJson({ id: graph.id, nodes: inUuidOrder(graph.nodes).map(printableOf) });
}

/** JSON of nodes, joined as in the node list of a graph. */
export function writeNodes(nodes: readonly LoomNode[]): string {
  return nodes.map((node) => printJson(printableOf(node), 1)).join(", ");
}

/** One node as JSON. */
export function nodeJson(node: LoomNode): string {
  return printJson(printableOf(node));
}

function printableOf(node: LoomNode): Printable {
  const tags = tagsJson(node.tags);
  return {
    id: node.id,
    type: nodeTypeOf(node.kind),
    ...(node.label !== undefined && node.label !== "" && { label: node.label }),
    body: bodyJson(node),
    ...(Object.keys(tags).length > 0 && { tags }),
  };
}

function bodyJson(node: LoomNode): Printable {
  switch (node.kind) {
    case "Tensor":
      return { dtype: node.dtype, range: rangeJson(node.range) };
    case "Operation":
      return {
        kernel: node.kernel,
        ...(node.params.size > 0 && { params: paramsOf(node) }),
        ...sidesJson(node),
      };
    case "Application":
      return { operationId: node.operationId, ...sidesJson(node) };
    case "Note":
      return { message: node.message };
  }
}

function paramsOf({ params }: OperationNode): Printable {
  return sorted([...params].map(([name, value]) => [name, deeplySorted(value)]));
}

function sidesJson({ inputs, outputs }: Selections) {
  return {
    ...(inputs.size > 0 && { inputs: selectionsJson(inputs) }),
    ...(outputs.size > 0 && { outputs: selectionsJson(outputs) }),
  };
}

function selectionsJson(map: SelectionMap): Printable {
  return sorted(
    [...map].map(([name, list]) => [
      name,
      list.map(({ tensorId, range }) => ({ tensorId, range: rangeJson(range) })),
    ]),
  );
}

function tagsJson({
  signature,
  index,
  isSequencePoint,
}: Tags): Readonly<Record<string, Printable>> {
  const tags: [TagKind, Printable][] = [];
  if (isSequencePoint === true) tags.push(["IOSequencePoint", {}]);
  if (index !== undefined) tags.push(["IPFIndex", rangeJson(index)]);
  if (signature !== undefined) {
    const { inputs, outputs } = signature;
    tags.push([
      "IPFSignature",
      { inputs: projectionsJson(inputs), outputs: projectionsJson(outputs) },
    ]);
  }
  return Object.fromEntries(tags.map(([kind, value]) => [tagTypeOf(kind), value]));
}

function projectionsJson(map: ProjectionMap): Printable {
  return sorted([...map].map(([name, list]) => [name, list.map(projectionJson)]));
}

// Loom cannot read `[]`: a projection without rows is written as one empty row.
function projectionJson(projection: Projection): Printable {
  const rows = projection.map(({ coefficients }) => coefficients);
  return {
    affineMap: {
      projection: rows.length === 0 ? [[]] : rows,
      offset: projection.map(({ offset }) => offset),
    },
    shape: projection.map(({ extent }) => extent),
  };
}

/** An object with its names in alphabetical order. */
function sorted(entries: Iterable<readonly [string, Printable]>): Printable {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** Plain data with the names of all its objects in alphabetical order. */
function deeplySorted(value: Json): Printable {
  if (isList(value)) return value.map(deeplySorted);
  if (typeof value !== "object" || value === null) return value;
  return sorted(Object.entries(value).map(([name, inner]) => [name, deeplySorted(inner)]));
}
