import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";

/** A JSON value with its span in the text. */
export type JsonNode = ObjectNode | ArrayNode | PlainNode;

export interface ObjectNode {
  readonly kind: "object";
  readonly span: Span;
  /** Members in the order of the text; a name may occur twice. */
  readonly members: readonly Member[];
  /** Whether some member name occurs twice. */
  readonly hasTwins: boolean;
}

export interface Member {
  readonly name: string;
  readonly nameSpan: Span;
  readonly value: JsonNode;
}

export interface ArrayNode {
  readonly kind: "array";
  readonly span: Span;
  readonly items: readonly JsonNode[];
}

export interface PlainNode {
  readonly kind: "plain";
  readonly span: Span;
  readonly value: string | number | boolean | null;
}

/** Path from a value to one inside it: member names and item positions. */
export type JsonPath = readonly (string | number)[];

/** The member of a name; the last of several, as Jackson reads them. */
export function memberOf(node: JsonNode | undefined, name: string): Member | undefined {
  if (node?.kind !== "object") return undefined;
  const { members } = node;
  for (let at = members.length - 1; at >= 0; at--) {
    if (members[at]?.name === name) return members[at];
  }
  return undefined;
}

/** Effective members: of several with one name, only the last. */
export function membersOf(node: JsonNode | undefined): readonly Member[] {
  if (node?.kind !== "object") return [];
  if (!node.hasTwins) return node.members;
  return [...new Map(node.members.map((member) => [member.name, member])).values()];
}

/** The value at a path; `undefined` when the path leaves the tree. */
export function nodeAt(root: JsonNode, path: JsonPath): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, step) => {
    if (typeof step === "string") return memberOf(node, step)?.value;
    return node?.kind === "array" ? node.items[step] : undefined;
  }, root);
}

/** The text of a string node; `undefined` for any other node. */
export function textOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === "plain" && typeof node.value === "string" ? node.value : undefined;
}

/** A value without its spans. */
export function toJson(node: JsonNode): Json {
  switch (node.kind) {
    case "object":
      return Object.fromEntries(node.members.map(({ name, value }) => [name, toJson(value)]));
    case "array":
      return node.items.map(toJson);
    case "plain":
      return node.value;
  }
}
