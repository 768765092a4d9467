import { type RawGraph, type RawNode, rawTitle } from "../envelope.ts";
import { type Finding, finding, pathText, stepText } from "../issue.ts";
import { type JsonPath, toJson } from "../json-node.ts";
import { bodySchemas, tagSchemas } from "../node-schemas.ts";
import type { Schema, SchemaFault } from "../schema.ts";
import { nodeKindOf, tagKindOf } from "../uris.ts";

/** Checks bodies and tag values against the schemas of their types. */
export function checkSchemas(graph: RawGraph): readonly Finding[] {
  const nodes = [...graph.nodes].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return nodes.flatMap((node) => {
    const kind = nodeKindOf(node.type);
    const body = kind === undefined ? [] : check(node, bodySchemas[kind], node.body, ["body"]);
    const tags = node.tags.flatMap(({ name, value }) => {
      const tag = tagKindOf(name);
      return tag === undefined ? [] : check(node, tagSchemas[tag], value, ["tags", name]);
    });
    return [...body, ...tags];
  });
}

function check(
  node: RawNode,
  schema: Schema,
  value: RawNode["body"],
  root: JsonPath,
): readonly Finding[] {
  const faults = schema({ value, path: [], schemaPath: "#" });
  return faults.map((fault) => schemaFinding(node, root, fault));
}

function schemaFinding(node: RawNode, root: JsonPath, fault: SchemaFault): Finding {
  const [, tag] = root;
  const part = tag === undefined ? "Node Body" : "Annotation";
  const inner = `$${fault.path.map(stepText).join("")}`;
  const data = toJson(fault.value);
  const shown = JSON.stringify(data);
  const place = [...root, ...fault.path].slice(1).map(stepText).join("").replace(/^\./, "");
  return finding({
    type: "JSD_ERROR",
    constraint: "SchemaTypeConstraint",
    summary: `${part} [${fault.keyword}] :: ${inner}${shown.length < 50 ? `: ${shown}` : ""}`,
    params: {
      path: inner,
      schemaPath: fault.schemaPath,
      keyword: fault.keyword,
      keywordArgs: fault.args,
      nodeType: node.type,
      ...(tag !== undefined && { annotationType: String(tag) }),
    },
    contexts: [
      { name: "Data", path: pathText(node.id, [...root, ...fault.path]), data },
      { name: "Node", path: pathText(node.id), data: toJson(node.json) },
      { name: `${part} Schema`, data: { $ref: String(tag ?? node.type) } },
    ],
    message: `${rawTitle(node)}: ${fault.message}${place === "" || tag !== undefined ? "" : ` (in ${place})`}`,
    span: fault.span,
    ...(fault.fixes !== undefined && { fixes: fault.fixes }),
  });
}
