import type { SyntaxNode } from "@lezer/common";
import type { Span, TextEdit } from "#core/diagnostics";
import { asOperator } from "./desugar.ts";
import { tokensIn } from "./line-tokens.ts";
import { lowerPiece } from "./lower-piece.ts";
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
import type { Expression, Pattern } from "./syntax.ts";

type Lower = (reading: Reading, node: SyntaxNode) => Expression;

/** How the parts of a pattern are lowered. */
interface Work {
  readonly reading: Reading;
  readonly lower: Lower;
}

/**
 * The pattern that stands at a place of the text as given. But for `as`, patterns are written as
 * expressions are, and the grammar knows more of those than of patterns.
 */
export function lowerPattern(reading: Reading, place: Span, lower: Lower): Pattern {
  const { reading: inner, statement } = lowerPiece(reading, place, withoutAs);
  const work: Work = { reading: inner, lower };
  const parts = childNodesOf(inner, statement);
  const isRow = parts.some(({ name }) => name === ",") || parts[0]?.name === "*";
  const pattern = isRow ? sequence(work, parts, place) : item(work, parts, statement);
  checkNames(pattern);
  return pattern;
}

function withoutAs(text: string): readonly TextEdit[] {
  return tokensIn(text, 0, text.length)
    .filter((token) => token.text === "as")
    .map(({ from, to }) => ({ from, to, text: asOperator }));
}

function sequence(work: Work, parts: readonly SyntaxNode[], span: Span): Pattern {
  const patterns = splitAt(parts, ",").map((group) => item(work, group, group[0]));
  const stars = patterns.filter(({ kind }) => kind === "star");
  if (stars[1] !== undefined) {
    const message = "multiple starred expressions in sequence pattern";
    throw new SyntaxFault("SyntaxError", message, stars[1].span);
  }
  return { kind: "sequence", patterns, span };
}

/** One pattern of a row, perhaps with a star. */
function item(
  { reading, lower }: Work,
  group: readonly SyntaxNode[],
  whole: SyntaxNode | undefined,
): Pattern {
  const [first, second] = group;
  if (first === undefined) throw invalidSyntax(reading, whole ?? { from: 0, to: 0 });
  if (first.name !== "*") {
    if (second !== undefined) throw invalidSyntax(reading, second);
    return patternOf({ reading, lower }, first);
  }
  if (second?.name !== "VariableName") throw invalidSyntax(reading, first);
  const span = spanOf(reading, { from: first.from, to: second.to });
  return { kind: "star", name: nameOf(reading, second), span };
}

function patternOf(work: Work, node: SyntaxNode): Pattern {
  const { reading, lower } = work;
  const span = spanOf(reading, node);
  switch (node.name) {
    case "VariableName":
      return { kind: "capture", name: nameOf(reading, node), span };
    case "Number":
    case "String":
    case "ContinuedString":
    case "Boolean":
    case "None":
    case "MemberExpression":
    case "UnaryExpression":
      return { kind: "value", value: literal(work, node, lower), span };
    case "BinaryExpression":
      return binary(work, node);
    case "ParenthesizedExpression": {
      const inner = childNodesOf(reading, node).slice(1, -1);
      return { ...item(work, inner, node), span };
    }
    case "TupleExpression":
    case "ArrayExpression":
      return sequence(work, childNodesOf(reading, node).slice(1, -1), span);
    case "DictionaryExpression":
      return mapping(work, node);
    case "CallExpression":
      return classPattern(work, node);
    default:
      throw invalidSyntax(reading, node);
  }
}

/** A number with a sign, a text, or a path of names. */
function literal({ reading }: Work, node: SyntaxNode, lower: Lower): Expression {
  const [sign, operand] = node.name === "UnaryExpression" ? childNodesOf(reading, node) : [];
  if (sign !== undefined && (textOf(reading, sign) !== "-" || operand?.name !== "Number")) {
    throw new SyntaxFault("SyntaxError", "invalid syntax", spanOf(reading, node));
  }
  const isPath =
    node.name !== "MemberExpression" || /^[\p{L}_][^[\](){}]*$/u.test(textOf(reading, node));
  if (!isPath) throw invalidSyntax(reading, node);
  return lower(reading, node);
}

/** `a | b`, and `pattern as name`. */
function binary(work: Work, node: SyntaxNode): Pattern {
  const { reading } = work;
  const span = spanOf(reading, node);
  const [left, operator, right] = childNodesOf(reading, node);
  if (left === undefined || operator === undefined || right === undefined) {
    throw invalidSyntax(reading, node);
  }
  const sign = textOf(reading, operator);
  if (sign === "|") {
    const [first, second] = [patternOf(work, left), patternOf(work, right)];
    const before =
      first.kind === "or" && left.name === "BinaryExpression" ? first.patterns : [first];
    return { kind: "or", patterns: [...before, second], span };
  }
  if (sign !== asOperator) {
    // Only a sum with an imaginary part is a pattern.
    const value = work.lower(reading, node);
    if (value.kind !== "binary" || left.name !== "Number") throw invalidSyntax(reading, operator);
    const message = "imaginary number required in complex literal";
    throw new SyntaxFault("SyntaxError", message, spanOf(reading, right));
  }
  if (right.name !== "VariableName") {
    throw new SyntaxFault("SyntaxError", "invalid pattern target", spanOf(reading, right));
  }
  const name = nameOf(reading, right);
  if (name === "_") {
    throw new SyntaxFault("SyntaxError", "cannot use '_' as a target", spanOf(reading, right));
  }
  return { kind: "as", pattern: patternOf(work, left), name, span };
}

function mapping(work: Work, node: SyntaxNode): Pattern {
  const { reading } = work;
  const entries: { key: Expression; pattern: Pattern }[] = [];
  let rest: string | undefined;
  for (const group of splitAt(childNodesOf(reading, node).slice(1, -1), ",")) {
    const [first, second, third] = group;
    if (first === undefined || rest !== undefined) throw invalidSyntax(reading, first ?? node);
    if (first.name === "**" && second?.name === "VariableName") rest = nameOf(reading, second);
    else if (third !== undefined) {
      entries.push({ key: literal(work, first, work.lower), pattern: patternOf(work, third) });
    } else throw invalidSyntax(reading, first);
  }
  const span = spanOf(reading, node);
  return { kind: "mapping", entries, ...(rest === undefined ? {} : { rest }), span };
}

function classPattern(work: Work, node: SyntaxNode): Pattern {
  const { reading } = work;
  const [type, list] = childNodesOf(reading, node);
  if (type === undefined || list === undefined) throw invalidSyntax(reading, node);
  const patterns: Pattern[] = [];
  const named: { name: string; pattern: Pattern }[] = [];
  for (const group of splitAt(childNodesOf(reading, list).slice(1, -1), ",")) {
    const [first, equals, value] = group;
    if (first !== undefined && equals?.name === "AssignOp" && value !== undefined) {
      named.push({ name: nameOf(reading, first), pattern: patternOf(work, value) });
    } else if (named.length > 0) {
      const message = "positional patterns follow keyword patterns";
      throw new SyntaxFault("SyntaxError", message, spanOf(reading, first ?? node));
    } else if (first !== undefined && equals === undefined) patterns.push(patternOf(work, first));
    else throw invalidSyntax(reading, first ?? node);
  }
  const span = spanOf(reading, node);
  return { kind: "class", type: literal(work, type, work.lower), patterns, named, span };
}

/** A pattern binds each name once, and all of its alternatives bind the same names. */
function checkNames(pattern: Pattern): readonly string[] {
  const names = pattern.kind === "or" ? alternativeNames(pattern) : ownNames(pattern);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    const message = `multiple assignments to name '${twice}' in pattern`;
    throw new SyntaxFault("SyntaxError", message, pattern.span);
  }
  return names;
}

function ownNames(pattern: Exclude<Pattern, { kind: "or" }>): readonly string[] {
  switch (pattern.kind) {
    case "value":
      return [];
    case "capture":
    case "star":
      return pattern.name === "_" ? [] : [pattern.name];
    case "as":
      return [...checkNames(pattern.pattern), pattern.name];
    case "sequence":
      return pattern.patterns.flatMap(checkNames);
    case "mapping": {
      const rest = pattern.rest === undefined ? [] : [pattern.rest];
      return [...pattern.entries.flatMap((entry) => checkNames(entry.pattern)), ...rest];
    }
    case "class":
      return [...pattern.patterns, ...pattern.named.map((each) => each.pattern)].flatMap(
        checkNames,
      );
  }
}

function alternativeNames(pattern: Extract<Pattern, { kind: "or" }>): readonly string[] {
  pattern.patterns.slice(0, -1).forEach((each) => {
    const what = takesAll(each);
    if (what !== undefined) throw new SyntaxFault("SyntaxError", unreachable(what), each.span);
  });
  const [first = [], ...others] = pattern.patterns.map(checkNames);
  const key = [...first].sort().join();
  if (others.some((names) => [...names].sort().join() !== key)) {
    const message = "alternative patterns bind different names";
    throw new SyntaxFault("SyntaxError", message, pattern.span);
  }
  return first;
}

/** The words for a pattern that takes everything, or `undefined`. */
export function takesAll(pattern: Pattern): string | undefined {
  if (pattern.kind === "as") return takesAll(pattern.pattern);
  if (pattern.kind !== "capture") return undefined;
  return pattern.name === "_" ? "wildcard" : `name capture '${pattern.name}'`;
}

/** What CPython says of a pattern behind one that takes everything. */
export function unreachable(what: string): string {
  return `${what} makes remaining patterns unreachable`;
}
