import type { TextEdit } from "#core/diagnostics";
import { isList, type Json } from "#core/dimops";
import { fieldOf, isRecord } from "#core/records";
import {
  type ArrayNode,
  type JsonNode,
  type JsonPath,
  nodeAt,
  type ObjectNode,
} from "./json-node.ts";

/**
 * Edits that put a value at a path and leave every other byte of the text unchanged.
 *
 * A present value is replaced. A new member, or an item after the last, is added in the style of
 * its neighbours. No edits for any other path that is not in the tree.
 */
export function setJson(
  text: string,
  tree: JsonNode,
  path: JsonPath,
  value: Json,
): readonly TextEdit[] {
  const present = nodeAt(tree, path);
  if (present !== undefined) return replaceValue(text, present, value);
  const step = path.at(-1);
  const parent = nodeAt(tree, path.slice(0, -1));
  if (parent?.kind === "object" && typeof step === "string") {
    const colon = colonLike(text, parent);
    const indent = indentOf(text, parent.members.at(-1)?.nameSpan.from ?? parent.span.from);
    return [
      addPart(text, parent, `${JSON.stringify(step)}${colon}${written(text, value, indent)}`),
    ];
  }
  if (parent?.kind === "array" && step === parent.items.length) {
    const indent = indentOf(text, parent.items.at(-1)?.span.from ?? parent.span.from);
    return [addPart(text, parent, written(text, value, indent))];
  }
  return [];
}

/** Edits that remove a member or an item with its comma; empty if it is missing. */
export function removeJson(tree: JsonNode, path: JsonPath): readonly TextEdit[] {
  const parent = nodeAt(tree, path.slice(0, -1));
  const step = path.at(-1);
  return parent === undefined || step === undefined ? [] : removalEdits(parent, step);
}

/** Edits that remove one member or item of a known object or list. */
export function removalEdits(parent: JsonNode, step: string | number): readonly TextEdit[] {
  if (parent.kind === "plain") return [];
  const spans = partSpans(parent);
  const at =
    parent.kind === "array"
      ? Number(step)
      : parent.members.findLastIndex(({ name }) => name === step);
  const span = spans[at];
  if (span === undefined) return [];
  const [before, after] = [spans[at - 1], spans[at + 1]];
  if (after !== undefined) return [{ from: span.from, to: after.from, text: "" }];
  if (before !== undefined) return [{ from: before.to, to: span.to, text: "" }];
  return [{ from: parent.span.from + 1, to: parent.span.to - 1, text: "" }];
}

// Lists of the same length change number by number, so that their own spacing stays.
function replaceValue(text: string, node: JsonNode, value: Json): readonly TextEdit[] {
  if (node.kind === "array" && isList(value) && value.length === node.items.length) {
    return node.items.flatMap((item, at) => replaceValue(text, item, value[at] ?? null));
  }
  if (node.kind === "object" && isRecord(value) && hasSameNames(node, value)) {
    return node.members.flatMap((member) => {
      return replaceValue(text, member.value, fieldOf(value, member.name) ?? null);
    });
  }
  const isSame = node.kind === "plain" && node.value === value;
  const { from, to } = node.span;
  return isSame ? [] : [{ from, to, text: written(text, value, indentOf(text, from)) }];
}

function addPart(text: string, parent: ObjectNode | ArrayNode, part: string): TextEdit {
  const spans = partSpans(parent);
  const last = spans.at(-1);
  if (last === undefined) {
    const { from, to } = parent.span;
    return { from: from + 1, to: to - 1, text: ` ${part} ` };
  }
  const previous = spans.at(-2);
  const gap =
    previous === undefined
      ? text.slice(parent.span.from + 1, last.from)
      : text.slice(previous.to, last.from).replace(/^\s*,/, "");
  return {
    from: last.to,
    to: last.to,
    text: `,${gap === "" && previous === undefined ? " " : gap}${part}`,
  };
}

function partSpans(parent: ObjectNode | ArrayNode) {
  if (parent.kind === "array") return parent.items.map(({ span }) => span);
  return parent.members.map(({ nameSpan, value }) => ({ from: nameSpan.from, to: value.span.to }));
}

/**
 * Prints a value in the style of the text: its line breaks, indentation and spacing around colons.
 */
export function written(text: string, value: Json, indent: string): string {
  if (!text.trim().includes("\n")) return JSON.stringify(value);
  const step = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  return layOut(value, indent, step, /"\s+:/.test(text) ? " : " : ": ");
}

function layOut(value: Json, indent: string, step: string, colon: string): string {
  if (isList(value)) {
    const items = value.map((item) => layOut(item, indent, step, colon));
    return colon === " : " && items.length > 0
      ? `[ ${items.join(", ")} ]`
      : `[${items.join(", ")}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value);
  const inner = indent + step;
  const lines = Object.entries(value).map(
    ([name, item]) => `${inner}${JSON.stringify(name)}${colon}${layOut(item, inner, step, colon)}`,
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
}

function colonLike(text: string, parent: ObjectNode): string {
  const last = parent.members.at(-1);
  if (last !== undefined) return text.slice(last.nameSpan.to, last.value.span.from);
  return /"\s+:/.test(text) ? " : " : ": ";
}

/** Indentation of the line that contains an offset. */
export function indentOf(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function hasSameNames(node: ObjectNode, value: Readonly<Record<string, Json>>): boolean {
  const names = new Set(node.members.map(({ name }) => name));
  const wanted = Object.keys(value);
  return (
    names.size === node.members.length &&
    wanted.length === names.size &&
    wanted.every((name) => names.has(name))
  );
}
