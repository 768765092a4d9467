import { readArguments, readBraces, readBrackets, readIndex, readParentheses } from "./brackets.ts";
import {
  advance,
  type Cursor,
  deepen,
  expect,
  fault,
  invalidSyntax,
  nameOf,
  type Rules,
  spanFrom,
  spanOf,
  startsExpression,
  take,
  takeName,
} from "./cursor.ts";
import { readConstant, readNumber, readStrings } from "./literals.ts";
import { readLambdaParameters } from "./parameters.ts";
import type { Expression } from "./syntax.ts";
import type { Token } from "./tokens.ts";

/** One expression. */
export function readExpression(cursor: Cursor): Expression {
  deepen(cursor);
  const value =
    cursor.token.text === "lambda" ? readLambda(cursor) : conditional(cursor, operation(cursor, 1));
  cursor.depth -= 1;
  return value;
}

function conditional(cursor: Cursor, whenTrue: Expression): Expression {
  if (!take(cursor, "if")) return whenTrue;
  const test = operation(cursor, 1);
  expect(cursor, "else");
  const otherwise = readExpression(cursor);
  const span = spanFrom(cursor, whenTrue.span.from);
  return { kind: "conditional", whenTrue, test, otherwise, span };
}

/** One expression, or the binding of a name to one (`x := y`). */
export function readNamed(cursor: Cursor): Expression {
  const target = readExpression(cursor);
  if (cursor.token.text !== ":=") return target;
  if (target.kind !== "name") {
    throw fault("cannot use assignment expressions with this target", target.span);
  }
  advance(cursor);
  const { name, span: nameSpan } = target;
  const value = readExpression(cursor);
  return { kind: "walrus", name, nameSpan, value, span: spanFrom(cursor, nameSpan.from) };
}

/** `yield`, `yield x, y`, `yield from x`, or a row of expressions. */
function readRowOrYield(cursor: Cursor): Expression {
  return cursor.token.text === "yield" ? readYield(cursor) : readRow(cursor);
}

function readYield(cursor: Cursor): Expression {
  const { from } = advance(cursor);
  cursor.hasYield = true;
  if (take(cursor, "from")) {
    const value = readExpression(cursor);
    return { kind: "yield-from", value, span: spanFrom(cursor, from) };
  }
  if (!startsExpression(cursor.token)) return { kind: "yield", span: spanFrom(cursor, from) };
  const value = readRow(cursor);
  return { kind: "yield", value, span: spanFrom(cursor, from) };
}

/** `a, b` without brackets: one expression, or a tuple. */
export function readRow(cursor: Cursor): Expression {
  return rowOf(cursor, readExpression);
}

/** Targets after `for` or `as`: expressions without operators, since `in` would be one. */
export function readTargets(cursor: Cursor): Expression {
  return rowOf(cursor, readTarget);
}

export function readTarget(cursor: Cursor): Expression {
  return operation(cursor, ranks["|"] ?? 0);
}

function rowOf(cursor: Cursor, readOne: (cursor: Cursor) => Expression): Expression {
  const { from } = cursor.token;
  const first = readStarred(cursor, readOne);
  if (cursor.token.text !== ",") return first;
  const items = [first];
  while (take(cursor, ",") && startsExpression(cursor.token)) {
    items.push(readStarred(cursor, readOne));
  }
  return { kind: "tuple", items, span: spanFrom(cursor, from) };
}

function readStarred(cursor: Cursor, readOne: (cursor: Cursor) => Expression): Expression {
  if (cursor.token.text !== "*") return readOne(cursor);
  const { from } = advance(cursor);
  const value = operation(cursor, ranks["|"] ?? 0);
  return { kind: "starred", value, span: spanFrom(cursor, from) };
}

export const rules: Rules = {
  expression: readExpression,
  named: readNamed,
  disjunction: (cursor) => operation(cursor, 1),
  targets: readTargets,
  rowOrYield: readRowOrYield,
};

/** Precedence of binary operators; higher binds more tightly. */
const ranks: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  or: 1,
  and: 2,
  in: 4,
  is: 4,
  not: 4,
  "<": 4,
  ">": 4,
  "<=": 4,
  ">=": 4,
  "==": 4,
  "!=": 4,
  "|": 5,
  "^": 6,
  "&": 7,
  "<<": 8,
  ">>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "//": 10,
  "%": 10,
  "@": 10,
});
const notRank = 3;
const comparisonRank = 4;

function rankOf({ kind, text }: Token): number {
  return kind === "sign" || kind === "keyword" ? (ranks[text] ?? 0) : 0;
}

const longestChain = 1000;

/** Operands joined by operators of at least the given precedence. */
function operation(cursor: Cursor, least: number): Expression {
  let left = cursor.token.text === "not" ? readNot(cursor, least) : readSigned(cursor);
  let links = 0;
  for (;;) {
    const rank = rankOf(cursor.token);
    if (rank === 0 || rank < least) return left;
    if (rank === comparisonRank) {
      left = readComparisons(cursor, left);
      links += left.kind === "compare" ? left.rest.length : 0;
    } else {
      const operator = advance(cursor).text;
      const right = operation(cursor, rank + 1);
      const span = { from: left.span.from, to: right.span.to };
      if (operator === "or" || operator === "and") {
        left = { kind: "boolean", operator, left, right, span };
        continue;
      }
      left = { kind: "binary", operator, left, right, span };
      links += 1;
    }
    if (links > longestChain) throw fault("too many operators in a row", left.span);
  }
}

function readNot(cursor: Cursor, least: number): Expression {
  if (least > notRank) throw invalidSyntax(cursor);
  deepen(cursor);
  const { from } = advance(cursor);
  const operand = operation(cursor, notRank);
  cursor.depth -= 1;
  return { kind: "unary", operator: "not", operand, span: spanFrom(cursor, from) };
}

/** `a < b <= c` as one chained comparison. */
function readComparisons(cursor: Cursor, first: Expression): Expression {
  const rest: { readonly operator: string; readonly right: Expression }[] = [];
  while (rankOf(cursor.token) === comparisonRank) {
    const operator = readComparison(cursor);
    rest.push({ operator, right: operation(cursor, comparisonRank + 1) });
  }
  return { kind: "compare", first, rest, span: spanFrom(cursor, first.span.from) };
}

function readComparison(cursor: Cursor): string {
  const { text } = advance(cursor);
  if (text === "not") return `not ${expect(cursor, "in").text}`;
  return text === "is" && take(cursor, "not") ? "is not" : text;
}

function readSigned(cursor: Cursor): Expression {
  const { text, from } = cursor.token;
  if (text !== "-" && text !== "+" && text !== "~") return readPower(cursor);
  deepen(cursor);
  advance(cursor);
  const operand = readSigned(cursor);
  cursor.depth -= 1;
  return { kind: "unary", operator: text, operand, span: spanFrom(cursor, from) };
}

function readPower(cursor: Cursor): Expression {
  if (cursor.token.text === "await") {
    advance(cursor);
    return readPower(cursor);
  }
  const left = readPrimary(cursor);
  if (cursor.token.text !== "**") return left;
  deepen(cursor);
  advance(cursor);
  const right = readSigned(cursor);
  cursor.depth -= 1;
  return { kind: "binary", operator: "**", left, right, span: spanFrom(cursor, left.span.from) };
}

/** An atom with trailing calls, attributes and indices. */
function readPrimary(cursor: Cursor): Expression {
  const { from } = cursor.token;
  let value = readAtom(cursor);
  for (let links = 0; ; links += 1) {
    const { text, kind } = cursor.token;
    if (kind !== "sign" || (text !== "(" && text !== "." && text !== "[")) return value;
    deepen(cursor, links);
    value = readLink(cursor, value, text, from);
    cursor.depth -= 1;
  }
}

function readLink(cursor: Cursor, value: Expression, sign: string, from: number): Expression {
  if (sign === "(") {
    const args = readArguments(cursor);
    return { kind: "call", callee: value, args, span: spanFrom(cursor, from) };
  }
  if (sign === "[") {
    const index = readIndex(cursor);
    return { kind: "subscript", object: value, index, span: spanFrom(cursor, from) };
  }
  advance(cursor);
  const { name, nameSpan } = takeName(cursor);
  return { kind: "attribute", object: value, name, nameSpan, span: spanFrom(cursor, from) };
}

function readAtom(cursor: Cursor): Expression {
  const { token } = cursor;
  switch (token.kind) {
    case "name":
      advance(cursor);
      return { kind: "name", name: nameOf(cursor, token), span: spanOf(token) };
    case "number":
      advance(cursor);
      return { kind: "constant", value: readNumber(token), span: spanOf(token) };
    case "string":
      return readStrings(cursor);
    default:
      return readBracketed(cursor, token);
  }
}

function readBracketed(cursor: Cursor, token: Token): Expression {
  switch (token.text) {
    case "(":
      return readParentheses(cursor);
    case "[":
      return readBrackets(cursor);
    case "{":
      return readBraces(cursor);
    default: {
      const value = readConstant(token);
      if (value === undefined) throw invalidSyntax(cursor);
      return { kind: "constant", value, span: spanOf(advance(cursor)) };
    }
  }
}

function readLambda(cursor: Cursor): Expression {
  const { from } = advance(cursor);
  const parameters = readLambdaParameters(cursor);
  expect(cursor, ":");
  const value = readExpression(cursor);
  const span = spanFrom(cursor, from);
  const definition = {
    name: "<lambda>",
    parameters,
    body: [{ kind: "return" as const, value, span: value.span }],
    span,
    nameSpan: span,
    bodySpan: value.span,
    decorators: [],
  };
  return { kind: "lambda", definition, span };
}
