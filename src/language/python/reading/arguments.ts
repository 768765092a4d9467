import { advance, type Cursor, expect, fault, spanFrom, take } from "./cursor.ts";
import { readClauses, startsClause } from "./displays.ts";
import type { ArgumentNode, Expression } from "./syntax.ts";

/** The arguments between the brackets of a call, in the order of the text. */
export function readArguments(cursor: Cursor): readonly ArgumentNode[] {
  advance(cursor);
  const args: ArgumentNode[] = [];
  while (cursor.token.text !== ")") {
    args.push(readArgument(cursor, args.length === 0));
    if (cursor.token.text !== ")") expect(cursor, ",");
  }
  advance(cursor);
  checkArguments(args);
  return args;
}

function readArgument(cursor: Cursor, isFirst: boolean): ArgumentNode {
  const { text } = cursor.token;
  if (text === "*" || text === "**") {
    advance(cursor);
    return { star: text, value: cursor.rules.expression(cursor) };
  }
  const isName = cursor.token.kind === "name";
  const before = cursor.at;
  const value = cursor.rules.named(cursor);
  if (isName && cursor.at === before + 1 && value.kind === "name" && take(cursor, "=")) {
    const { name, span: nameSpan } = value;
    return { star: "", value: cursor.rules.expression(cursor), name, nameSpan };
  }
  return { star: "", value: startsClause(cursor) ? readGenerator(cursor, value, isFirst) : value };
}

/** A generator needs no brackets of its own where it is the only argument. */
function readGenerator(cursor: Cursor, element: Expression, isFirst: boolean): Expression {
  const clauses = readClauses(cursor);
  if (!isFirst || cursor.token.text === ",") {
    throw fault("Generator expression must be parenthesized", element.span);
  }
  const span = spanFrom(cursor, element.span.from);
  return { kind: "comprehension", of: "generator", element, clauses, span };
}

function checkArguments(args: readonly ArgumentNode[]): void {
  let names: Set<string> | undefined;
  let after: string | undefined;
  let hasSpread = false;
  for (const { star, name, value, nameSpan } of args) {
    if (name !== undefined) {
      if (names?.has(name) === true) {
        throw fault(`keyword argument repeated: ${name}`, nameSpan ?? value.span);
      }
      names = (names ?? new Set()).add(name);
      after ??= "positional argument follows keyword argument";
    } else if (star === "**") {
      after = "positional argument follows keyword argument unpacking";
      hasSpread = true;
    } else if (star === "*" && hasSpread) {
      const message = "iterable argument unpacking follows keyword argument unpacking";
      throw fault(message, value.span);
    } else if (star === "" && after !== undefined) throw fault(after, value.span);
  }
}
