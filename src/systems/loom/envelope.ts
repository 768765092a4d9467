import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import { closest } from "./closest.ts";
import { type LoomId, loomId } from "./graph.ts";
import { type JsonNode, type Member, memberOf, membersOf, textOf } from "./json-node.ts";
import { nodeKindOf } from "./uris.ts";
import { isUuid, uuidFrom } from "./uuid.ts";

/** A node whose body and tags are still unread JSON. */
export interface RawNode {
  readonly id: LoomId;
  readonly type: string;
  readonly label?: string;
  readonly body: JsonNode;
  readonly tags: readonly Member[];
  readonly json: JsonNode;
}

export interface RawGraph {
  readonly id: LoomId;
  readonly nodes: readonly RawNode[];
}

const graphFields = ["id", "nodes"];
const nodeFields = ["id", "type", "label", "body", "tags"];

/**
 * Reads the graph and its nodes as far as Loom reads them before it validates anything
 * (loom.md §1.1). A graph that lacks an id, or has two nodes of one id, is refused here although
 * Loom accepts it.
 */
export function readEnvelope(
  tree: JsonNode,
  text: string,
): { readonly graph?: RawGraph; readonly diagnostics: readonly Diagnostic[] } {
  if (tree.kind !== "object") {
    return { diagnostics: [wrong("a LoomGraph is a JSON object", tree.span)] };
  }
  const faults: Diagnostic[] = unknownFields(tree, "a LoomGraph", graphFields, ["env"]);
  const id = readId(tree, "this LoomGraph", text, faults);
  const list = presentMember(tree, "nodes")?.value;
  if (list !== undefined && list.kind !== "array") {
    faults.push(wrong('"nodes" must be a list of nodes', list.span));
  }
  const items = list?.kind === "array" ? list.items : [];
  const nodes = items.flatMap((item, at) => readNode(item, `node ${at}`, text, faults) ?? []);
  faults.push(...repeatedIds(nodes));
  if (faults.length > 0 || id === undefined) return { diagnostics: faults };
  return { graph: { id, nodes }, diagnostics: [] };
}

/** Name of a node in messages, before its body is read. */
export function rawTitle({ type, label, id }: RawNode): string {
  const kind = nodeKindOf(type)?.toLowerCase() ?? "node";
  return `${kind} ${label === undefined ? id : `"${label}"`}`;
}

function readNode(
  json: JsonNode,
  name: string,
  text: string,
  faults: Diagnostic[],
): RawNode | undefined {
  if (json.kind !== "object") {
    faults.push(wrong(`${name} must be an object`, json.span));
    return undefined;
  }
  faults.push(...unknownFields(json, name, nodeFields, ["graph"]));
  const id = readId(json, name, text, faults);
  const type = readText(json, "type", name, faults);
  const label = readLabel(json, faults);
  const tags = presentMember(json, "tags")?.value;
  if (tags !== undefined && tags.kind !== "object") {
    faults.push(wrong(`"tags" of ${name} must be an object`, tags.span));
  }
  const body = presentMember(json, "body")?.value;
  if (body === undefined) faults.push(missing("body", name, json));
  if (id === undefined || type === undefined || body === undefined) return undefined;
  const kept = membersOf(tags).filter(({ value }) => !isNull(value));
  return { id, type, body, json, tags: kept, ...(label !== undefined && { label }) };
}

function readId(
  json: JsonNode,
  name: string,
  text: string,
  faults: Diagnostic[],
): LoomId | undefined {
  const member = presentMember(json, "id");
  if (member === undefined) {
    const proposed = newId(json, text);
    const isEmpty = membersOf(json).length === 0;
    const start = json.span.from + 1;
    const edit = { from: start, to: start, text: `"id": "${proposed}"${isEmpty ? "" : ", "}` };
    const fix = { title: "Give it an id", edits: [edit] };
    const hasNull = memberOf(json, "id") !== undefined;
    faults.push({ ...missing("id", name, json), ...(!hasNull && { fixes: [fix] }) });
    return undefined;
  }
  const id = textOf(member.value);
  if (id !== undefined && isUuid(id)) return loomId(id);
  const { span } = member.value;
  const shown = id === undefined ? "it" : `"${id}"`;
  const proposed = newId(json, text);
  const fix = { title: "Replace it by a new id", edits: [{ ...span, text: `"${proposed}"` }] };
  faults.push(wrong(`the id of ${name} must be a UUID, but ${shown} is none`, span, fix));
  return undefined;
}

/** A new id for a node without one. Offset and first 500 characters of the node keep ids apart. */
function newId({ span }: JsonNode, text: string): string {
  return uuidFrom(`${span.from} ${text.slice(span.from, Math.min(span.to, span.from + 500))}`);
}

function readText(
  json: JsonNode,
  field: string,
  name: string,
  faults: Diagnostic[],
): string | undefined {
  const member = presentMember(json, field);
  const text = textOf(member?.value);
  if (member === undefined) faults.push(missing(field, name, json));
  else if (text === undefined) {
    faults.push(wrong(`"${field}" of ${name} must be a text`, member.value.span));
  }
  return text;
}

// Loom also accepts numbers as labels; null and "" count as no label.
function readLabel(json: JsonNode, faults: Diagnostic[]): string | undefined {
  const value = presentMember(json, "label")?.value;
  if (value === undefined) return undefined;
  if (value.kind === "plain") return String(value.value) || undefined;
  faults.push(wrong('"label" must be a text', value.span));
  return undefined;
}

function repeatedIds(nodes: readonly RawNode[]): readonly Diagnostic[] {
  const first = new Map<LoomId, RawNode>();
  return nodes.flatMap((node): Diagnostic[] => {
    const earlier = first.get(node.id);
    if (earlier === undefined) {
      first.set(node.id, node);
      return [];
    }
    return [
      {
        code: "loom/id-twice",
        severity: "error",
        message: `two nodes have the id ${node.id}: Loom would silently keep the last one only`,
        span: idSpan(node),
        related: [{ message: "the first node with this id", span: idSpan(earlier) }],
      },
    ];
  });
}

function idSpan({ json }: RawNode): Span {
  return memberOf(json, "id")?.value.span ?? json.span;
}

function unknownFields(
  json: JsonNode,
  owner: string,
  known: readonly string[],
  ignored: readonly string[],
): Diagnostic[] {
  const unknown = membersOf(json).filter(
    ({ name }) => !known.includes(name) && !ignored.includes(name),
  );
  return unknown.map(({ name, nameSpan }): Diagnostic => {
    const meant = name === "annotations" ? "tags" : closest(name, known);
    const isFree = meant !== undefined && memberOf(json, meant) === undefined;
    const fix = { title: `Write "${meant}"`, edits: [{ ...nameSpan, text: `"${meant}"` }] };
    return {
      code: "loom/unknown-field",
      severity: "error",
      message: `"${name}" is not a field of ${owner}: there are ${known.join(", ")}`,
      span: nameSpan,
      ...(isFree && known.includes(meant) && { fixes: [fix] }),
    };
  });
}

function presentMember(json: JsonNode, name: string): Member | undefined {
  const member = memberOf(json, name);
  return member === undefined || isNull(member.value) ? undefined : member;
}

function isNull(json: JsonNode): boolean {
  return json.kind === "plain" && json.value === null;
}

function missing(field: string, name: string, json: JsonNode): Diagnostic {
  const { from } = json.span;
  const message = `${name} has no "${field}"`;
  return { code: "loom/missing-field", severity: "error", message, span: { from, to: from + 1 } };
}

function wrong(message: string, span: Span, fix?: Fix): Diagnostic {
  const fixes = fix === undefined ? {} : { fixes: [fix] };
  return { code: "loom/wrong-value", severity: "error", message, span, ...fixes };
}
