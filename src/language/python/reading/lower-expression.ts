import type { SyntaxNode } from "@lezer/common";
import type { Value } from "../values/value.ts";
import { readNumber } from "./constants.ts";
import { readArguments } from "./lower-arguments.ts";
import { lowerClauses, splitComprehension } from "./lower-comprehension.ts";
import { lowerOperators } from "./lower-operators.ts";
import { lowerParameters } from "./lower-parameters.ts";
import { lowerFormatString, lowerString } from "./lower-string.ts";
import {
  childNodesOf,
  deeper,
  invalidSyntax,
  nameOf,
  type Reading,
  SyntaxFault,
  spanOf,
  splitAt,
  textOf,
  unsupported,
} from "./reading.ts";
import type { ArgumentNode, DictEntry, Expression } from "./syntax.ts";

const none: Value = { kind: "none" };
const ellipsis: Value = { kind: "ellipsis" };

/** Lowers one expression node of the tree. */
export function lowerExpression(reading: Reading, node: SyntaxNode): Expression {
  return deeper(reading, node, () => lowerNode(reading, node));
}

function lowerNode(reading: Reading, node: SyntaxNode): Expression {
  const span = spanOf(reading, node);
  switch (node.name) {
    case "VariableName":
      return { kind: "name", name: nameOf(reading, node), span };
    case "Number":
      return { kind: "constant", value: readNumber(reading, node), span };
    case "Boolean":
      return {
        kind: "constant",
        value: { kind: "bool", value: textOf(reading, node) === "True" },
        span,
      };
    case "None":
      return { kind: "constant", value: none, span };
    case "Ellipsis":
      return { kind: "constant", value: ellipsis, span };
    case "String":
      return { kind: "constant", value: lowerString(reading, node), span };
    case "FormatString":
    case "ContinuedString":
      return lowerFormatString(reading, node, { several: lowerTuple });
    case "BinaryExpression":
      return lowerOperators(reading, node, lowerExpression);
    case "UnaryExpression":
      return lowerUnary(reading, node);
    case "CallExpression":
      return lowerCall(reading, node);
    case "MemberExpression":
      return lowerMember(reading, node);
    default:
      return lowerContainer(reading, node);
  }
}

function lowerContainer(reading: Reading, node: SyntaxNode): Expression {
  const span = spanOf(reading, node);
  const inner = () => childNodesOf(reading, node).slice(1, -1);
  switch (node.name) {
    case "ParenthesizedExpression":
      return { ...lowerStarred(reading, inner()), span };
    case "TupleExpression":
      return { kind: "tuple", items: lowerItems(reading, inner()), span };
    case "ArrayExpression":
      return { kind: "list", items: lowerItems(reading, inner()), span };
    case "SetExpression":
      return { kind: "set", items: lowerItems(reading, inner()), span };
    case "DictionaryExpression":
      return {
        kind: "dict",
        entries: splitAt(inner(), ",").map((e) => lowerEntry(reading, e)),
        span,
      };
    case "ComprehensionExpression":
    case "ArrayComprehensionExpression":
    case "SetComprehensionExpression":
    case "DictionaryComprehensionExpression":
      return lowerComprehension(reading, node, inner());
    default:
      return lowerKeyword(reading, node);
  }
}

function lowerKeyword(reading: Reading, node: SyntaxNode): Expression {
  const span = spanOf(reading, node);
  const parts = childNodesOf(reading, node);
  switch (node.name) {
    case "ConditionalExpression":
      return {
        kind: "conditional",
        whenTrue: lowerPart(reading, parts[0], node),
        test: lowerPart(reading, parts[2], node),
        otherwise: lowerPart(reading, parts[4], node),
        span,
      };
    case "LambdaExpression":
      return lowerLambda(reading, node, parts);
    case "NamedExpression":
      return lowerWalrus(reading, node, parts);
    case "YieldExpression":
      return lowerYield(reading, node, parts);
    case "AwaitExpression":
      throw unsupported(reading, "await", node);
    default:
      throw invalidSyntax(reading, node);
  }
}

function lowerPart(reading: Reading, part: SyntaxNode | undefined, whole: SyntaxNode): Expression {
  if (part === undefined) throw invalidSyntax(reading, whole);
  return lowerExpression(reading, part);
}

function lowerWalrus(reading: Reading, node: SyntaxNode, parts: readonly SyntaxNode[]): Expression {
  const [target, , value] = parts;
  if (target?.name !== "VariableName") {
    const message = "cannot use assignment expressions with this target";
    throw new SyntaxFault("SyntaxError", message, spanOf(reading, target ?? node));
  }
  return {
    kind: "walrus",
    name: nameOf(reading, target),
    nameSpan: spanOf(reading, target),
    value: lowerPart(reading, value, node),
    span: spanOf(reading, node),
  };
}

/** `yield`, `yield x, y` and `yield from x`, also as the parts of a `YieldStatement`. */
export function lowerYield(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
): Expression {
  const span = spanOf(reading, node);
  const rest = parts.slice(1);
  if (rest[0]?.name === "from") {
    return { kind: "yield-from", value: lowerPart(reading, rest[1], node), span };
  }
  if (rest.length === 0) return { kind: "yield", span };
  return { kind: "yield", value: lowerTuple(reading, rest), span };
}

/** `a, b` without brackets: one expression alone, or a tuple. */
export function lowerTuple(reading: Reading, parts: readonly SyntaxNode[]): Expression {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) {
    throw new SyntaxFault("SyntaxError", "invalid syntax", { from: 0, to: 0 });
  }
  const isTuple = parts.some((part) => part.name === ",");
  if (!isTuple) return lowerStarred(reading, parts);
  const items = lowerItems(reading, parts);
  return { kind: "tuple", items, span: spanOf(reading, { from: first.from, to: last.to }) };
}

function lowerItems(reading: Reading, parts: readonly SyntaxNode[]): readonly Expression[] {
  return splitAt(parts, ",").map((group) => lowerStarred(reading, group));
}

function lowerStarred(reading: Reading, group: readonly SyntaxNode[]): Expression {
  const [first, second] = group;
  if (first === undefined)
    throw new SyntaxFault("SyntaxError", "invalid syntax", { from: 0, to: 0 });
  if (first.name !== "*") {
    if (second !== undefined) throw invalidSyntax(reading, second);
    return lowerExpression(reading, first);
  }
  const value = lowerPart(reading, second, first);
  return {
    kind: "starred",
    value,
    span: { from: reading.original(first.from), to: value.span.to },
  };
}

function lowerEntry(reading: Reading, group: readonly SyntaxNode[]): DictEntry {
  const [first, colon, value] = group;
  if (first?.name === "**" && colon !== undefined)
    return { value: lowerExpression(reading, colon) };
  if (first === undefined || colon?.name !== ":" || value === undefined) {
    throw invalidSyntax(reading, first ?? { from: 0, to: 0 });
  }
  return { key: lowerExpression(reading, first), value: lowerExpression(reading, value) };
}

function lowerComprehension(
  reading: Reading,
  node: SyntaxNode,
  inner: readonly SyntaxNode[],
): Expression {
  const { head, clauses } = splitComprehension(inner);
  const entry =
    node.name === "DictionaryComprehensionExpression" ? lowerEntry(reading, head) : undefined;
  const element = entry?.key ?? lowerStarred(reading, head);
  const of =
    entry !== undefined
      ? "dict"
      : node.name === "ArrayComprehensionExpression"
        ? "list"
        : node.name === "SetComprehensionExpression"
          ? "set"
          : "generator";
  return {
    kind: "comprehension",
    of,
    element,
    ...(entry === undefined ? {} : { value: entry.value }),
    clauses: lowerClauses(reading, clauses, lowerExpression, lowerTuple),
    span: spanOf(reading, node),
  };
}

function lowerLambda(reading: Reading, node: SyntaxNode, parts: readonly SyntaxNode[]): Expression {
  const list = parts.find((part) => part.name === "ParamList");
  const body = lowerPart(reading, parts.at(-1), node);
  const span = spanOf(reading, node);
  const definition = {
    name: "<lambda>",
    parameters: list === undefined ? [] : lowerParameters(reading, list, lowerExpression),
    body: [{ kind: "return" as const, value: body, span: body.span }],
    span,
    nameSpan: span,
    bodySpan: body.span,
    decorators: [],
  };
  return { kind: "lambda", definition, span };
}

function lowerUnary(reading: Reading, node: SyntaxNode): Expression {
  const [operator, operand] = childNodesOf(reading, node);
  if (operator === undefined) throw invalidSyntax(reading, node);
  if (operator.name === "not") return lowerOperators(reading, node, lowerExpression);
  return {
    kind: "unary",
    operator: textOf(reading, operator),
    operand: lowerPart(reading, operand, node),
    span: spanOf(reading, node),
  };
}

function lowerCall(reading: Reading, node: SyntaxNode): Expression {
  const [callee, list] = childNodesOf(reading, node);
  if (list === undefined) throw invalidSyntax(reading, node);
  return {
    kind: "call",
    callee: lowerPart(reading, callee, node),
    args: lowerArguments(reading, list),
    span: spanOf(reading, node),
  };
}

/** The arguments of an `ArgList`, in the order of the text. */
export function lowerArguments(reading: Reading, list: SyntaxNode): readonly ArgumentNode[] {
  return readArguments(reading, list, {
    one: lowerExpression,
    several: lowerTuple,
    starred: lowerStarred,
    walrus: lowerWalrus,
  });
}

function lowerMember(reading: Reading, node: SyntaxNode): Expression {
  const [object, ...rest] = childNodesOf(reading, node);
  const value = lowerPart(reading, object, node);
  const span = spanOf(reading, node);
  const last = rest.at(-1);
  if (rest[0]?.name === "." && last !== undefined) {
    if (/^(None|True|False)$/.test(textOf(reading, last))) throw invalidSyntax(reading, last);
    return {
      kind: "attribute",
      object: value,
      name: nameOf(reading, last),
      nameSpan: spanOf(reading, last),
      span,
    };
  }
  return {
    kind: "subscript",
    object: value,
    index: lowerIndex(reading, rest.slice(1, -1), node),
    span,
  };
}

function lowerIndex(reading: Reading, parts: readonly SyntaxNode[], node: SyntaxNode): Expression {
  const groups = splitAt(parts, ",");
  const items = groups.map((group) => lowerSlice(reading, group));
  const [first] = parts;
  const last = parts.at(-1);
  const [only] = items;
  if (first === undefined || last === undefined || only === undefined) {
    throw invalidSyntax(reading, node);
  }
  const isTuple = parts.some((part) => part.name === ",") || only.kind === "starred";
  if (!isTuple) return only;
  return { kind: "tuple", items, span: spanOf(reading, { from: first.from, to: last.to }) };
}

function lowerSlice(reading: Reading, group: readonly SyntaxNode[]): Expression {
  if (!group.some((part) => part.name === ":")) return lowerStarred(reading, group);
  const bounds: (Expression | undefined)[] = [undefined];
  for (const part of group) {
    if (part.name === ":") bounds.push(undefined);
    else bounds[bounds.length - 1] = lowerExpression(reading, part);
  }
  const [start, stop, step] = bounds;
  const [first] = group;
  const last = group.at(-1);
  const span = spanOf(reading, { from: first?.from ?? 0, to: last?.to ?? 0 });
  return {
    kind: "slice",
    ...(start === undefined ? {} : { start }),
    ...(stop === undefined ? {} : { stop }),
    ...(step === undefined ? {} : { step }),
    span,
  };
}
