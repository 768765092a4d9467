import type { ArgumentNode, Expression } from "../reading/syntax.ts";
import type { SpanTree } from "../values/host.ts";

/** The shape of an expression's text, for edits of a part of it. */
export function spanTreeOf(expression: Expression): SpanTree {
  const { span } = expression;
  switch (expression.kind) {
    case "tuple":
    case "list":
      return { kind: expression.kind, span, items: expression.items.map(spanTreeOf) };
    case "dict":
      return {
        kind: "dict",
        span,
        items: expression.entries.map(({ key, value }) => entryTree(key, value)),
      };
    case "call": {
      const name = pathOf(expression.callee);
      const items = expression.args.map(argumentTree);
      return name === undefined
        ? { kind: "call", span, items }
        : { kind: "call", span, items, name };
    }
    case "name":
      return { kind: "name", span, items: [], name: expression.name };
    case "attribute": {
      const name = pathOf(expression);
      if (name === undefined) return { kind: "other", span, items: [] };
      return { kind: "name", span, items: [], name };
    }
    case "constant":
    case "format":
      return { kind: "literal", span, items: [] };
    case "unary":
      return {
        kind: expression.operand.kind === "constant" ? "literal" : "other",
        span,
        items: [],
      };
    default:
      return { kind: "other", span, items: [] };
  }
}

function entryTree(key: Expression | undefined, value: Expression): SpanTree {
  const tree = spanTreeOf(value);
  if (key?.kind !== "constant" || key.value.kind !== "str") return tree;
  return { ...tree, key: key.value.value, keySpan: key.span };
}

function argumentTree({ value, name, nameSpan }: ArgumentNode): SpanTree {
  const tree = spanTreeOf(value);
  if (name === undefined || nameSpan === undefined) return tree;
  return { ...tree, key: name, keySpan: nameSpan };
}

/** `a.b.c` as text, when an expression is such a path. */
function pathOf(expression: Expression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind !== "attribute") return undefined;
  const object = pathOf(expression.object);
  return object === undefined ? undefined : `${object}.${expression.name}`;
}
