import type { SyntaxNode } from "@lezer/common";
import { asOperator } from "./desugar.ts";
import { lowerExpression, lowerTuple } from "./lower-expression.ts";
import {
  childNodesOf,
  invalidSyntax,
  nameOf,
  type Reading,
  SyntaxFault,
  spanOf,
  splitAt,
  textOf,
} from "./reading.ts";
import type { Expression, Handler, Statement } from "./syntax.ts";
import { checkTarget } from "./targets.ts";

type LowerBody = (reading: Reading, body: SyntaxNode) => readonly Statement[];

/** Statements with blocks inside: `if`, `while`, `for`, `try`, `with`. */
export function lowerCompound(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lowerBody: LowerBody,
): Statement {
  switch (node.name) {
    case "IfStatement":
      return lowerIf(reading, node, parts, lowerBody);
    case "WhileStatement": {
      const [, test, body] = parts;
      if (test === undefined || body === undefined) throw invalidSyntax(reading, node);
      return {
        kind: "while",
        test: lowerExpression(reading, test),
        body: lowerBody(reading, body),
        otherwise: bodyAfter(reading, parts, "else", lowerBody),
        span: spanOf(reading, node),
      };
    }
    case "ForStatement":
      return lowerFor(reading, node, parts, lowerBody);
    case "TryStatement":
      return lowerTry(reading, node, parts, lowerBody);
    case "WithStatement":
      return lowerWith(reading, node, parts, lowerBody);
    default:
      throw invalidSyntax(reading, node);
  }
}

function bodyAfter(
  reading: Reading,
  parts: readonly SyntaxNode[],
  word: string,
  lowerBody: LowerBody,
): readonly Statement[] {
  const at = parts.findIndex((part) => part.name === word);
  const body = at < 0 ? undefined : parts[at + 1];
  return body === undefined ? [] : lowerBody(reading, body);
}

function lowerIf(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lowerBody: LowerBody,
): Statement {
  const branches: { test: Expression; body: readonly Statement[] }[] = [];
  parts.forEach((part, index) => {
    if (part.name !== "if" && part.name !== "elif") return;
    const test = parts[index + 1];
    const body = parts[index + 2];
    if (test === undefined || body?.name !== "Body") throw invalidSyntax(reading, part);
    branches.push({ test: lowerExpression(reading, test), body: lowerBody(reading, body) });
  });
  const otherwise = bodyAfter(reading, parts, "else", lowerBody);
  return { kind: "if", branches, otherwise, span: spanOf(reading, node) };
}

function lowerFor(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lowerBody: LowerBody,
): Statement {
  if (parts[0]?.name === "async") throw invalidSyntax(reading, parts[0]);
  const inAt = parts.findIndex((part) => part.name === "in");
  const bodyAt = parts.findIndex((part) => part.name === "Body");
  const body = parts[bodyAt];
  if (inAt < 0 || body === undefined) throw invalidSyntax(reading, node);
  const target = lowerTuple(reading, parts.slice(1, inAt));
  checkTarget(target, "assign to");
  return {
    kind: "for",
    target,
    iterable: lowerTuple(reading, parts.slice(inAt + 1, bodyAt)),
    body: lowerBody(reading, body),
    otherwise: bodyAfter(reading, parts, "else", lowerBody),
    span: spanOf(reading, node),
  };
}

function lowerTry(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lowerBody: LowerBody,
): Statement {
  const handlers: Handler[] = [];
  parts.forEach((part, index) => {
    if (part.name === "except") handlers.push(lowerHandler(reading, parts.slice(index), lowerBody));
  });
  const hasFinal = parts.some((part) => part.name === "finally");
  if (handlers.length === 0 && !hasFinal) {
    const message = "expected 'except' or 'finally' block";
    throw new SyntaxFault("SyntaxError", message, spanOf(reading, node));
  }
  return {
    kind: "try",
    body: bodyAfter(reading, parts, "try", lowerBody),
    handlers,
    otherwise: bodyAfter(reading, parts, "else", lowerBody),
    final: bodyAfter(reading, parts, "finally", lowerBody),
    span: spanOf(reading, node),
  };
}

function lowerHandler(
  reading: Reading,
  parts: readonly SyntaxNode[],
  lowerBody: LowerBody,
): Handler {
  const bodyAt = parts.findIndex((part) => part.name === "Body");
  const body = parts[bodyAt];
  const [word, type, as, name] = parts.slice(0, bodyAt);
  if (body === undefined || word === undefined)
    throw new SyntaxFault("SyntaxError", "invalid syntax", { from: 0, to: 0 });
  if (type?.name === "*") throw invalidSyntax(reading, type);
  if (as !== undefined && as.name !== "as") {
    throw new SyntaxFault(
      "SyntaxError",
      "multiple exception types must be parenthesized",
      spanOf(reading, as),
    );
  }
  return {
    ...(type === undefined ? {} : { type: lowerExpression(reading, type) }),
    ...(name === undefined ? {} : { name: nameOf(reading, name), nameSpan: spanOf(reading, name) }),
    body: lowerBody(reading, body),
    span: spanOf(reading, word),
  };
}

function lowerWith(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lowerBody: LowerBody,
): Statement {
  if (parts[0]?.name === "async") throw invalidSyntax(reading, parts[0]);
  const body = parts.find((part) => part.name === "Body");
  if (body === undefined) throw invalidSyntax(reading, node);
  const items = splitAt(parts.slice(1, parts.indexOf(body)), ",").map((group) => {
    const [first] = group;
    if (first === undefined) throw invalidSyntax(reading, node);
    const inner = childNodesOf(reading, first);
    const isRespelt = inner[1] !== undefined && textOf(reading, inner[1]) === asOperator;
    const [value = first, , written] = isRespelt ? inner : group;
    const target = written === undefined ? undefined : lowerExpression(reading, written);
    if (target !== undefined) checkTarget(target, "assign to");
    return { value: lowerExpression(reading, value), ...(target === undefined ? {} : { target }) };
  });
  return { kind: "with", items, body: lowerBody(reading, body), span: spanOf(reading, node) };
}
