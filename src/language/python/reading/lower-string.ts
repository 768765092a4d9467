import type { SyntaxNode } from "@lezer/common";
import type { Value } from "../values/value.ts";
import { contentOf, replaceEscapes, type StringParts } from "./constants.ts";
import { equalsInFormat } from "./desugar-format.ts";
import { childNodesOf, type Reading, SyntaxFault, spanOf, textOf, unsupported } from "./reading.ts";
import type { Expression, FormatPart, Replacement } from "./syntax.ts";

/** How an expression is lowered, and how a row with commas is. */
type Lower = {
  readonly several: (reading: Reading, parts: readonly SyntaxNode[]) => Expression;
};

/** The value of a plain `String` node. */
export function lowerString(reading: Reading, node: SyntaxNode): Value {
  const parts = contentOf(reading, node);
  if (parts.bytes) throw unsupported(reading, "a bytes literal", node);
  return { kind: "str", value: textBetween(reading, parts, parts.from, parts.to, node) };
}

function textBetween(
  reading: Reading,
  parts: StringParts,
  from: number,
  to: number,
  node: SyntaxNode,
): string {
  const text = reading.text.slice(from, to);
  return parts.raw ? text.replace(/\r\n?/g, "\n") : replaceEscapes(reading, text, node);
}

/** An f-string, or several literals side by side. */
export function lowerFormatString(reading: Reading, node: SyntaxNode, lower: Lower): Expression {
  const pieces = node.name === "ContinuedString" ? childNodesOf(reading, node) : [node];
  const parts: FormatPart[] = [];
  for (const piece of pieces) {
    if (piece.name === "FormatString") parts.push(...lowerFormatParts(reading, piece, lower));
    else {
      const value = lowerString(reading, piece);
      if (value.kind === "str") parts.push(value.value);
    }
  }
  const span = spanOf(reading, node);
  if (parts.every((part) => typeof part === "string")) {
    return { kind: "constant", value: { kind: "str", value: parts.join("") }, span };
  }
  return { kind: "format", parts, span };
}

function lowerFormatParts(reading: Reading, node: SyntaxNode, lower: Lower): readonly FormatPart[] {
  const content = contentOf(reading, node);
  const parts: FormatPart[] = [];
  let at = content.from;
  const addText = (to: number) => {
    const text = textBetween(reading, content, at, to, node);
    if (/(^|[^}])(}})*}([^}]|$)/.test(text)) {
      const message = "f-string: single '}' is not allowed";
      throw new SyntaxFault("SyntaxError", message, spanOf(reading, node));
    }
    if (text !== "") parts.push(text.replaceAll("{{", "{").replaceAll("}}", "}"));
  };
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "FormatReplacement") continue;
    addText(child.from);
    parts.push(...lowerReplacement(reading, child, lower));
    at = child.to;
  }
  addText(content.to);
  return parts;
}

function lowerReplacement(reading: Reading, node: SyntaxNode, lower: Lower): readonly FormatPart[] {
  const parts = childNodesOf(reading, node);
  const inner = parts.slice(1).filter((part) => !/^(Format|})/.test(part.name));
  if (inner.length === 0) {
    const message = "f-string: empty expression not allowed";
    throw new SyntaxFault("SyntaxError", message, spanOf(reading, node));
  }
  const selfDoc = parts.find((part) => part.name === "FormatSelfDoc");
  const conversion = parts.find((part) => part.name === "FormatConversion");
  const specification = parts.find((part) => part.name === "FormatSpec");
  const written = conversion === undefined ? undefined : textOf(reading, conversion).slice(1);
  const assumed = selfDoc !== undefined && specification === undefined ? "r" : undefined;
  const chosen = written ?? assumed;
  const replacement: Replacement = {
    value: lower.several(reading, inner),
    ...(chosen === "r" || chosen === "s" || chosen === "a" ? { conversion: chosen } : {}),
    ...(specification === undefined
      ? {}
      : { specification: lowerSpecification(reading, specification, lower) }),
  };
  if (selfDoc === undefined) return [replacement];
  const end = (conversion ?? specification ?? parts.at(-1))?.from ?? node.to;
  return [reading.text.slice(node.from + 1, end), replacement];
}

function written(reading: Reading, from: number, to: number): string {
  return reading.text.slice(from, to).replaceAll(equalsInFormat, "=");
}

function lowerSpecification(
  reading: Reading,
  node: SyntaxNode,
  lower: Lower,
): readonly FormatPart[] {
  const parts: FormatPart[] = [];
  let at = node.from + 1;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "FormatReplacement") continue;
    if (child.from > at) parts.push(written(reading, at, child.from));
    parts.push(...lowerReplacement(reading, child, lower));
    at = child.to;
  }
  if (node.to > at) parts.push(written(reading, at, node.to));
  return parts;
}
