import type { SyntaxNode } from "@lezer/common";
import {
  childNodesOf,
  invalidSyntax,
  type Reading,
  SyntaxFault,
  spanOf,
  textOf,
} from "./reading.ts";
import type { Expression } from "./syntax.ts";

type Lower = (reading: Reading, node: SyntaxNode) => Expression;

/** An operand of `and`/`or` with the `not`s before it. */
interface Operand {
  readonly node: SyntaxNode;
  readonly nots: SyntaxNode[];
}

/**
 * Lowers binary operators, comparisons, `and`, `or` and `not`.
 *
 * The grammar binds `not` too loosely (`not a and b` comes as `not (a and b)`), so operands of
 * `and` and `or` are laid out in a row first and grouped by Python's precedence here.
 */
export function lowerOperators(reading: Reading, node: SyntaxNode, lower: Lower): Expression {
  const operands: Operand[] = [];
  const operators: string[] = [];
  layOut(reading, node, operands, operators);
  const values = operands.map((operand) => lowerOperand(reading, operand, lower));
  const [first, ...others] = values;
  if (first === undefined) throw invalidSyntax(reading, node);
  const terms: Expression[] = [first];
  others.forEach((right, index) => {
    const left = terms.at(-1);
    if (operators[index] === "and" && left !== undefined) {
      terms[terms.length - 1] = boolean("and", left, right);
    } else terms.push(right);
  });
  return terms.reduce((left, right) => boolean("or", left, right));
}

function boolean(operator: "and" | "or", left: Expression, right: Expression): Expression {
  return {
    kind: "boolean",
    operator,
    left,
    right,
    span: { from: left.span.from, to: right.span.to },
  };
}

/** Walks the left spine with a stack of its own: a chain of a thousand is no nesting. */
function layOut(
  reading: Reading,
  node: SyntaxNode,
  operands: Operand[],
  operators: string[],
): void {
  const waiting: (SyntaxNode | string)[] = [node];
  let nots: SyntaxNode[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") {
      operators.push(next);
      continue;
    }
    const parts =
      next.name === "BinaryExpression" || isNot(next) ? childNodesOf(reading, next) : [];
    const [left, middle, right] = parts;
    if (isNot(next) && middle !== undefined) {
      nots.push(next);
      waiting.push(middle);
    } else if (
      left !== undefined &&
      right !== undefined &&
      (middle?.name === "and" || middle?.name === "or")
    ) {
      waiting.push(right, middle.name, left);
    } else {
      operands.push({ node: next, nots });
      nots = [];
    }
  }
}

function isNot(node: SyntaxNode): boolean {
  return node.name === "UnaryExpression" && node.firstChild?.name === "not";
}

function lowerOperand(reading: Reading, operand: Operand, lower: Lower): Expression {
  const value =
    operand.node.name === "BinaryExpression"
      ? lowerChain(reading, operand.node, lower)
      : lower(reading, operand.node);
  return operand.nots.reduceRight<Expression>(
    (inner, not) => ({
      kind: "unary",
      operator: "not",
      operand: inner,
      span: { from: reading.original(not.from), to: inner.span.to },
    }),
    value,
  );
}

interface Link {
  readonly operator: string;
  readonly right: SyntaxNode;
  readonly to: number;
}

/** One row of arithmetic or comparison operators, read without recursion on the left. */
function lowerChain(reading: Reading, node: SyntaxNode, lower: Lower): Expression {
  const { leftmost, links } = chainOf(reading, node);
  let result = lower(reading, leftmost);
  let isOpen = false;
  for (const link of links) {
    const right = lower(reading, link.right);
    const span = { from: result.span.from, to: reading.original(link.to) };
    const { operator } = link;
    if (!comparisons.has(operator)) {
      result = { kind: "binary", operator, left: result, right, span };
      isOpen = false;
      continue;
    }
    const rest = isOpen && result.kind === "compare" ? result.rest : [];
    const first = isOpen && result.kind === "compare" ? result.first : result;
    result = { kind: "compare", first, rest: [...rest, { operator, right }], span };
    isOpen = true;
  }
  return result;
}

const longestChain = 1000;

function chainOf(reading: Reading, node: SyntaxNode): { leftmost: SyntaxNode; links: Link[] } {
  const links: Link[] = [];
  let leftmost = node;
  while (leftmost.name === "BinaryExpression") {
    const [left, first, ...others] = childNodesOf(reading, leftmost);
    const right = others.at(-1);
    if (left === undefined || first === undefined || right === undefined) {
      throw invalidSyntax(reading, leftmost);
    }
    if (first.name === "and" || first.name === "or") break;
    const words = [first, ...others.slice(0, -1)].map((word) => textOf(reading, word));
    if (words[0] === "<>") throw invalidSyntax(reading, first);
    links.push({ operator: words.join(" "), right, to: leftmost.to });
    leftmost = left;
  }
  if (links.length > longestChain) {
    throw new SyntaxFault("SyntaxError", "too many operators in a row", spanOf(reading, node));
  }
  return { leftmost, links: links.reverse() };
}

const comparisons: ReadonlySet<string> = new Set([
  "<",
  ">",
  "<=",
  ">=",
  "==",
  "!=",
  "in",
  "not in",
  "is",
  "is not",
]);
