import type { SyntaxNode } from "@lezer/common";
import { lowerClauses, splitComprehension } from "./lower-comprehension.ts";
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
import type { ArgumentNode, Expression } from "./syntax.ts";

type LowerRow = (reading: Reading, parts: readonly SyntaxNode[]) => Expression;

/** How the parts of an argument are lowered. */
interface Lower {
  readonly one: (reading: Reading, node: SyntaxNode) => Expression;
  /** A row with commas. */
  readonly several: LowerRow;
  /** One expression, perhaps with a star. */
  readonly starred: LowerRow;
  readonly walrus: (reading: Reading, node: SyntaxNode, parts: readonly SyntaxNode[]) => Expression;
}

/** The arguments of an `ArgList`, in the order of the text. */
export function readArguments(
  reading: Reading,
  list: SyntaxNode,
  lower: Lower,
): readonly ArgumentNode[] {
  const inner = childNodesOf(reading, list).slice(1, -1);
  // The clauses of a generator hold commas of their own: `f(a for a, b in c)`.
  const loop = inner.findIndex(({ name }) => name === "for" || name === "async");
  const isAlone = loop >= 0 && !inner.slice(0, loop).some(({ name }) => name === ",");
  const end = inner.findLastIndex(({ name }) => name === "in");
  if (isAlone && inner.slice(end).some(({ name }) => name === ",")) {
    const message = "Generator expression must be parenthesized";
    const [first] = inner;
    throw new SyntaxFault("SyntaxError", message, spanOf(reading, first ?? list));
  }
  if (isAlone) return [{ star: "", value: lowerGeneratorArgument(reading, inner, lower) }];
  const args = splitAt(inner, ",").map((group) => lowerArgument(reading, group, lower));
  checkArguments(args);
  return args;
}

function lowerArgument(reading: Reading, group: readonly SyntaxNode[], lower: Lower): ArgumentNode {
  const [first, second, third] = group;
  if (first === undefined)
    throw new SyntaxFault("SyntaxError", "invalid syntax", { from: 0, to: 0 });
  if ((first.name === "*" || first.name === "**") && second !== undefined) {
    return { star: first.name, value: lower.one(reading, second) };
  }
  if (second?.name === "AssignOp" && third !== undefined) {
    if (textOf(reading, second) === ":=") {
      return { star: "", value: lower.walrus(reading, first, group) };
    }
    const value = lower.one(reading, third);
    return { star: "", value, name: nameOf(reading, first), nameSpan: spanOf(reading, first) };
  }
  if (second === undefined) return { star: "", value: lower.one(reading, first) };
  const message = "Generator expression must be parenthesized";
  throw new SyntaxFault("SyntaxError", message, spanOf(reading, first));
}

function lowerGeneratorArgument(
  reading: Reading,
  group: readonly SyntaxNode[],
  lower: Lower,
): Expression {
  const { head, clauses } = splitComprehension(group);
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined || clauses.length === 0) {
    throw invalidSyntax(reading, group[1] ?? { from: 0, to: 0 });
  }
  const span = spanOf(reading, { from: first.from, to: last.to });
  return {
    kind: "comprehension",
    of: "generator",
    element: lower.starred(reading, head),
    clauses: lowerClauses(reading, clauses, lower.one, lower.several),
    span,
  };
}

function checkArguments(args: readonly ArgumentNode[]): void {
  const names = new Set<string>();
  let after: string | undefined;
  let hasSpread = false;
  for (const { star, name, value, nameSpan } of args) {
    if (name !== undefined) {
      if (names.has(name)) {
        throw new SyntaxFault(
          "SyntaxError",
          `keyword argument repeated: ${name}`,
          nameSpan ?? value.span,
        );
      }
      names.add(name);
      after ??= "positional argument follows keyword argument";
    } else if (star === "**") {
      after = "positional argument follows keyword argument unpacking";
      hasSpread = true;
    } else if (star === "*" && hasSpread) {
      const message = "iterable argument unpacking follows keyword argument unpacking";
      throw new SyntaxFault("SyntaxError", message, value.span);
    } else if (star === "" && after !== undefined) {
      throw new SyntaxFault("SyntaxError", after, value.span);
    }
  }
}
