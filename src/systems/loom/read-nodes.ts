import type { Box, Projection } from "#core/indexspace";
import type { LoomDocument } from "./document.ts";
import { type RawGraph, type RawNode, rawTitle } from "./envelope.ts";
import {
  type LoomNode,
  loomId,
  type ProjectionMap,
  type SelectionMap,
  type Selections,
  type Tags,
} from "./graph.ts";
import { type Finding, finding, pathText } from "./issue.ts";
import { type JsonNode, type JsonPath, memberOf, membersOf, textOf, toJson } from "./json-node.ts";
import { malformedProjection, malformedRange, projectionOf, rangeOf } from "./read-values.ts";
import { nodeKindOf, type TagKind, tagKindOf } from "./uris.ts";

/**
 * Reads the bodies and tags of nodes that follow their schemas.
 *
 * Malformed ranges and matrices, which no schema can refuse, become findings; Loom itself breaks
 * off at them (loom.md §1.4).
 */
export function readNodes(raw: RawGraph): {
  readonly document: LoomDocument;
  readonly findings: readonly Finding[];
} {
  const findings: Finding[] = [];
  const nodes = raw.nodes.flatMap((node) => readNode({ node, findings }) ?? []);
  const document: LoomDocument = {
    graph: { id: raw.id, nodes },
    nodes: new Map(nodes.map((node) => [node.id, node])),
    json: new Map(raw.nodes.map(({ id, json }) => [id, json])),
  };
  return { document, findings };
}

interface Reading {
  readonly node: RawNode;
  readonly findings: Finding[];
}

function readNode(reading: Reading): LoomNode | undefined {
  const { id, label, body, type } = reading.node;
  const tags = readTags(reading);
  const base = { id, tags, ...(label !== undefined && { label }) };
  const field = (name: string) => memberOf(body, name)?.value;
  const kind = nodeKindOf(type);
  switch (kind) {
    case "Tensor": {
      const range = readRange(reading, field("range"), ["body", "range"]);
      return { kind, ...base, dtype: textOf(field("dtype")) ?? "", range };
    }
    case "Operation": {
      const params = membersOf(field("params")).map(
        ({ name, value }) => [name, toJson(value)] as const,
      );
      const kernel = textOf(field("kernel")) ?? "";
      return { kind, ...base, kernel, params: new Map(params), ...readSides(reading) };
    }
    case "Application": {
      const operationId = loomId(textOf(field("operationId")) ?? "");
      return { kind, ...base, operationId, ...readSides(reading) };
    }
    case "Note":
      return { kind, ...base, message: textOf(field("message")) ?? "" };
    case undefined:
      return undefined;
  }
}

function readSides(reading: Reading): Selections {
  return { inputs: readSelections(reading, "inputs"), outputs: readSelections(reading, "outputs") };
}

function readSelections(reading: Reading, side: "inputs" | "outputs"): SelectionMap {
  const map = memberOf(reading.node.body, side)?.value;
  return mapLists(map, (json, name, at) => {
    const tensorId = loomId(textOf(memberOf(json, "tensorId")?.value) ?? "");
    const path = ["body", side, name, at, "range"];
    return { tensorId, range: readRange(reading, memberOf(json, "range")?.value, path) };
  });
}

function readTags(reading: Reading): Tags {
  const tagOf = (wanted: TagKind) =>
    reading.node.tags.find(({ name }) => tagKindOf(name) === wanted);
  const signature = tagOf("IPFSignature");
  const index = tagOf("IPFIndex");
  const readSide = (side: "inputs" | "outputs"): ProjectionMap =>
    mapLists(memberOf(signature?.value, side)?.value, (json, name, at) =>
      readProjection(reading, json, ["tags", signature?.name ?? "", side, name, at]),
    );
  return {
    ...(signature && { signature: { inputs: readSide("inputs"), outputs: readSide("outputs") } }),
    ...(index && { index: readRange(reading, index.value, ["tags", index.name]) }),
    ...(tagOf("IOSequencePoint") && { isSequencePoint: true }),
  };
}

function mapLists<T>(
  map: JsonNode | undefined,
  read: (json: JsonNode, name: string, at: number) => T,
): ReadonlyMap<string, readonly T[]> {
  const lists = membersOf(map).map(({ name, value }) => {
    const items = value.kind === "array" ? value.items : [];
    return [name, items.map((json, at) => read(json, name, at))] as const;
  });
  return new Map(lists);
}

function readRange(reading: Reading, json: JsonNode | undefined, path: JsonPath): Box {
  const fault = malformedRange(json);
  if (fault !== undefined) reading.findings.push(malformed(reading, "Range", fault, json, path));
  return rangeOf(json);
}

function readProjection(reading: Reading, json: JsonNode, path: JsonPath): Projection {
  const fault = malformedProjection(json);
  if (fault === undefined) return projectionOf(json);
  reading.findings.push(malformed(reading, "Projection", fault, json, path));
  return [];
}

function malformed(
  { node }: Reading,
  what: "Range" | "Projection",
  fault: string,
  json: JsonNode | undefined,
  path: JsonPath,
): Finding {
  return finding({
    type: "NodeValidationError",
    constraint: `Malformed${what}`,
    summary: `Malformed ${what.toLowerCase()}: ${fault}`,
    params: { nodeType: node.type },
    contexts: [
      {
        name: what,
        path: pathText(node.id, path),
        ...(json !== undefined && { data: toJson(json) }),
      },
      { name: "Node", path: pathText(node.id), data: toJson(node.json) },
    ],
    message: `${rawTitle(node)}: ${fault}`,
    span: json?.span ?? node.json.span,
  });
}
