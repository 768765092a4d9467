import type { SyntaxNode } from "@lezer/common";
import type { Span } from "#core/diagnostics";
import { wrappedDecorator } from "./desugar.ts";
import { lowerArguments, lowerExpression } from "./lower-expression.ts";
import { lowerParameters } from "./lower-parameters.ts";
import {
  childNodesOf,
  invalidSyntax,
  nameOf,
  type Reading,
  spanOf,
  textOf,
  unsupported,
} from "./reading.ts";
import type { ClassNode, Expression, FunctionNode, Statement } from "./syntax.ts";

type LowerBody = (reading: Reading, body: SyntaxNode) => readonly Statement[];

/** `def` and `class`, with the decorators before them. */
export function lowerDefinition(
  reading: Reading,
  node: SyntaxNode,
  lowerBody: LowerBody,
): Statement {
  const isDecorated = node.name === "DecoratedStatement";
  const parts = isDecorated ? childNodesOf(reading, node) : [];
  const inner = isDecorated ? parts.at(-1) : node;
  if (inner === undefined) throw invalidSyntax(reading, node);
  const decorators = parts.slice(0, -1).map((part) => lowerDecorator(reading, part));
  if (inner.name === "FunctionDefinition") {
    const made = lowerFunction(reading, node, inner, decorators, lowerBody);
    return { kind: "function", definition: made, span: made.span };
  }
  const made = lowerClass(reading, node, inner, decorators, lowerBody);
  return { kind: "class", definition: made, span: made.span };
}

function lowerDecorator(reading: Reading, node: SyntaxNode): Expression {
  const parts = childNodesOf(reading, node).slice(1);
  const [first, list] = parts;
  if (first === undefined) throw invalidSyntax(reading, node);
  if (textOf(reading, first) === wrappedDecorator && list?.name === "ArgList") {
    const [wrapped] = lowerArguments(reading, list);
    if (wrapped !== undefined) return wrapped.value;
  }
  let value: Expression = {
    kind: "name",
    name: nameOf(reading, first),
    span: spanOf(reading, first),
  };
  for (const part of parts.slice(1)) {
    const span: Span = { from: value.span.from, to: reading.original(part.to) };
    if (part.name === "VariableName") {
      const name = nameOf(reading, part);
      value = { kind: "attribute", object: value, name, nameSpan: spanOf(reading, part), span };
    } else if (part.name === "ArgList") {
      value = { kind: "call", callee: value, args: lowerArguments(reading, part), span };
    }
  }
  return value;
}

function lowerFunction(
  reading: Reading,
  whole: SyntaxNode,
  node: SyntaxNode,
  decorators: readonly Expression[],
  lowerBody: LowerBody,
): FunctionNode {
  const parts = childNodesOf(reading, node);
  if (parts[0]?.name === "async") throw unsupported(reading, "async", parts[0]);
  const name = parts.find((part) => part.name === "VariableName");
  const list = parts.find((part) => part.name === "ParamList");
  const bodyNode = parts.at(-1);
  const returns = parts.find((part) => part.name === "TypeDef")?.lastChild;
  if (name === undefined || list === undefined || bodyNode?.name !== "Body") {
    throw invalidSyntax(reading, node);
  }
  const parameters = lowerParameters(reading, list, lowerExpression);
  const body = lowerBody(reading, bodyNode);
  const doc = docstringOf(body);
  return {
    name: nameOf(reading, name),
    parameters,
    body,
    ...spansOf(reading, whole, name, body),
    ...(returns ? { returnAnnotationSpan: spanOf(reading, returns) } : {}),
    ...(doc === undefined ? {} : { docstring: doc }),
    decorators,
  };
}

function lowerClass(
  reading: Reading,
  whole: SyntaxNode,
  node: SyntaxNode,
  decorators: readonly Expression[],
  lowerBody: LowerBody,
): ClassNode {
  const parts = childNodesOf(reading, node);
  const name = parts.find((part) => part.name === "VariableName");
  const list = parts.find((part) => part.name === "ArgList");
  const bodyNode = parts.at(-1);
  if (name === undefined || bodyNode?.name !== "Body") throw invalidSyntax(reading, node);
  const args = list === undefined ? [] : lowerArguments(reading, list);
  const body = within(reading, textOf(reading, name), () => lowerBody(reading, bodyNode));
  const doc = docstringOf(body);
  const spans = spansOf(reading, whole, name, body);
  return {
    name: nameOf(reading, name),
    args,
    body,
    span: spans.span,
    nameSpan: spans.nameSpan,
    ...(doc === undefined ? {} : { docstring: doc }),
    decorators,
  };
}

/** Reads the body of a class, whose private names are its own. */
function within<T>(reading: Reading, owner: string, read: () => T): T {
  const before = reading.owner;
  reading.owner = owner;
  try {
    return read();
  } finally {
    reading.owner = before;
  }
}

/** A definition ends where its last statement ends, not after the blank lines that follow. */
function spansOf(
  reading: Reading,
  whole: SyntaxNode,
  name: SyntaxNode,
  body: readonly Statement[],
): Pick<FunctionNode, "span" | "nameSpan" | "bodySpan"> {
  const from = reading.original(whole.from);
  const nameSpan = spanOf(reading, name);
  const start = body[0]?.span.from ?? nameSpan.to;
  const to = body.at(-1)?.span.to ?? nameSpan.to;
  return { span: { from, to }, nameSpan, bodySpan: { from: start, to } };
}

function docstringOf(body: readonly Statement[]): string | undefined {
  const [first] = body;
  if (first?.kind !== "expression" || first.value.kind !== "constant") return undefined;
  return first.value.value.kind === "str" ? first.value.value.value : undefined;
}
