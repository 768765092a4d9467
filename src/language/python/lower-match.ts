import type { SyntaxNode } from "@lezer/common";
import {
  invalidSyntax,
  nameOf,
  partsOf,
  type Reading,
  SyntaxFault,
  spanOf,
  splitAt,
  textOf,
} from "./reading.ts";
import type { Expression, MatchCase, Pattern, Statement } from "./syntax.ts";

type Lower = (reading: Reading, node: SyntaxNode) => Expression;
type LowerBody = (reading: Reading, body: SyntaxNode) => readonly Statement[];

/** `match` with every kind of pattern. */
export function lowerMatch(
  reading: Reading,
  node: SyntaxNode,
  lower: Lower,
  lowerBody: LowerBody,
): Statement {
  const [, subject, body] = partsOf(reading, node);
  if (subject === undefined || body === undefined) throw invalidSyntax(reading, node);
  const clauses = partsOf(reading, body).filter((part) => part.name === "MatchClause");
  const cases = clauses.map((clause) => lowerCase(reading, clause, lower, lowerBody));
  return { kind: "match", subject: lower(reading, subject), cases, span: spanOf(reading, node) };
}

function lowerCase(
  reading: Reading,
  node: SyntaxNode,
  lower: Lower,
  lowerBody: LowerBody,
): MatchCase {
  const parts = partsOf(reading, node).slice(1);
  const body = parts.at(-1);
  const guard = parts.find((part) => part.name === "Guard")?.lastChild;
  const patterns = parts.filter((part) => part.name !== "Guard" && part.name !== "Body");
  if (body?.name !== "Body") throw invalidSyntax(reading, node);
  return {
    pattern: lowerOpenSequence(reading, patterns, lower, node),
    ...(guard ? { guard: lower(reading, guard) } : {}),
    body: lowerBody(reading, body),
  };
}

function lowerOpenSequence(
  reading: Reading,
  parts: readonly SyntaxNode[],
  lower: Lower,
  node: SyntaxNode,
): Pattern {
  const groups = splitAt(parts, ",");
  const patterns = groups.map(([only]) => lowerPattern(reading, only ?? node, lower));
  const [first] = patterns;
  if (first === undefined) throw invalidSyntax(reading, node);
  const isSequence = parts.some((part) => part.name === ",");
  return isSequence ? { kind: "sequence", patterns, span: spanOf(reading, node) } : first;
}

function lowerPattern(reading: Reading, node: SyntaxNode, lower: Lower): Pattern {
  const span = spanOf(reading, node);
  const parts = partsOf(reading, node);
  const [first] = parts;
  switch (node.name) {
    case "CapturePattern":
      return { kind: "capture", name: nameOf(reading, node), span };
    case "LiteralPattern":
      return { kind: "value", value: lowerLiteral(reading, node, parts, lower), span };
    case "AttributePattern":
      return { kind: "value", value: lowerPath(reading, parts), span };
    case "AsPattern": {
      const name = parts.at(-1);
      if (first === undefined || name === undefined) throw invalidSyntax(reading, node);
      const pattern = lowerPattern(reading, first, lower);
      return { kind: "as", pattern, name: nameOf(reading, name), span };
    }
    case "OrPattern": {
      const kept = parts.filter((part) => part.name !== "LogicOp");
      return { kind: "or", patterns: kept.map((part) => lowerPattern(reading, part, lower)), span };
    }
    case "StarPattern":
      return { kind: "star", name: textOf(reading, node).slice(1).trim(), span };
    default:
      return lowerNested(reading, node, parts, lower);
  }
}

function lowerNested(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lower: Lower,
): Pattern {
  const span = spanOf(reading, node);
  if (node.name === "SequencePattern") {
    const inner = parts.slice(1, -1);
    const isGroup = parts[0]?.name === "(" && inner.length === 1 && inner[0] !== undefined;
    if (isGroup && inner[0] !== undefined) return lowerPattern(reading, inner[0], lower);
    const items = splitAt(inner, ",").map(([item]) => lowerPattern(reading, item ?? node, lower));
    return { kind: "sequence", patterns: items, span };
  }
  if (node.name === "MappingPattern") return lowerMapping(reading, node, parts, lower);
  if (node.name === "ClassPattern") return lowerClassPattern(reading, node, parts, lower);
  throw invalidSyntax(reading, node);
}

function lowerMapping(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lower: Lower,
): Pattern {
  const entries: { key: Expression; pattern: Pattern }[] = [];
  let rest: string | undefined;
  for (const [first, second, third] of splitAt(parts.slice(1, -1), ",")) {
    if (first?.name === "**" && second !== undefined) rest = textOf(reading, second);
    else if (first !== undefined && third !== undefined) {
      const key = lowerLiteral(reading, first, partsOf(reading, first), lower);
      entries.push({ key, pattern: lowerPattern(reading, third, lower) });
    }
  }
  const span = spanOf(reading, node);
  return { kind: "mapping", entries, ...(rest === undefined ? {} : { rest }), span };
}

function lowerClassPattern(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lower: Lower,
): Pattern {
  const [type, list] = parts;
  if (type === undefined || list === undefined) throw invalidSyntax(reading, node);
  const path = type.name === "AttributePattern" ? partsOf(reading, type) : [type];
  const patterns: Pattern[] = [];
  const named: { name: string; pattern: Pattern }[] = [];
  for (const [item] of splitAt(partsOf(reading, list).slice(1, -1), ",")) {
    const keyword = item?.name === "KeywordPattern" ? partsOf(reading, item) : undefined;
    const [name, , value] = keyword ?? [];
    if (name !== undefined && value !== undefined) {
      named.push({ name: nameOf(reading, name), pattern: lowerPattern(reading, value, lower) });
    } else if (item !== undefined) patterns.push(lowerPattern(reading, item, lower));
  }
  const span = spanOf(reading, node);
  return { kind: "class", type: lowerPath(reading, path), patterns, named, span };
}

function lowerPath(reading: Reading, parts: readonly SyntaxNode[]): Expression {
  const [first, ...rest] = parts.filter((part) => part.name !== ".");
  if (first === undefined)
    throw new SyntaxFault("SyntaxError", "invalid syntax", { from: 0, to: 0 });
  const start: Expression = {
    kind: "name",
    name: nameOf(reading, first),
    span: spanOf(reading, first),
  };
  return rest.reduce<Expression>((object, part) => {
    const span = { from: object.span.from, to: reading.original(part.to) };
    const nameSpan = spanOf(reading, part);
    return { kind: "attribute", object, name: nameOf(reading, part), nameSpan, span };
  }, start);
}

function lowerLiteral(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  lower: Lower,
): Expression {
  const [first, second] = parts;
  if (first === undefined) throw invalidSyntax(reading, node);
  if (first.name !== "ArithOp" || second === undefined) return lower(reading, first);
  return {
    kind: "unary",
    operator: textOf(reading, first),
    operand: lower(reading, second),
    span: spanOf(reading, node),
  };
}
