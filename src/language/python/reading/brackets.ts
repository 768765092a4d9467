import { advance, type Cursor, expect, fault, spanFrom, startsExpression, take } from "./cursor.ts";
import type { ArgumentNode, Clause, Comprehension, DictEntry, Expression } from "./syntax.ts";

/** Parentheses: a tuple, a generator expression, or an expression whose span includes them. */
export function readParentheses(cursor: Cursor): Expression {
  const { from } = advance(cursor);
  if (take(cursor, ")")) return { kind: "tuple", items: [], span: spanFrom(cursor, from) };
  if (cursor.token.text === "yield") {
    const value = cursor.rules.rowOrYield(cursor);
    expect(cursor, ")");
    return { ...value, span: spanFrom(cursor, from) };
  }
  const first = readItem(cursor);
  if (startsClause(cursor)) return comprehension(cursor, from, ")", "generator", first);
  if (take(cursor, ")")) return { ...first, span: spanFrom(cursor, from) };
  const items = readItems(cursor, ")", first);
  return { kind: "tuple", items, span: spanFrom(cursor, from) };
}

/** A list or list comprehension. */
export function readBrackets(cursor: Cursor): Expression {
  const { from } = advance(cursor);
  if (take(cursor, "]")) return { kind: "list", items: [], span: spanFrom(cursor, from) };
  const first = readItem(cursor);
  if (startsClause(cursor)) return comprehension(cursor, from, "]", "list", first);
  const items = readItems(cursor, "]", first);
  return { kind: "list", items, span: spanFrom(cursor, from) };
}

/** A dict or set, or a comprehension of one. */
export function readBraces(cursor: Cursor): Expression {
  const { from } = advance(cursor);
  if (take(cursor, "}")) return { kind: "dict", entries: [], span: spanFrom(cursor, from) };
  if (cursor.token.text === "**") return readDict(cursor, from, readEntry(cursor));
  const first = readItem(cursor);
  if (take(cursor, ":")) {
    const value = cursor.rules.expression(cursor);
    if (startsClause(cursor)) return comprehension(cursor, from, "}", "dict", first, value);
    return readDict(cursor, from, { key: first, value });
  }
  if (startsClause(cursor)) return comprehension(cursor, from, "}", "set", first);
  const items = readItems(cursor, "}", first);
  return { kind: "set", items, span: spanFrom(cursor, from) };
}

function readDict(cursor: Cursor, from: number, first: DictEntry): Expression {
  const entries = [first];
  while (cursor.token.text !== "}") {
    expect(cursor, ",");
    if (cursor.token.text !== "}") entries.push(readEntry(cursor));
  }
  advance(cursor);
  return { kind: "dict", entries, span: spanFrom(cursor, from) };
}

function readEntry(cursor: Cursor): DictEntry {
  const { expression } = cursor.rules;
  if (take(cursor, "**")) return { value: expression(cursor) };
  const key = expression(cursor);
  expect(cursor, ":");
  return { key, value: expression(cursor) };
}

/** Items after the first one, up to the closing bracket. */
function readItems(cursor: Cursor, close: string, first: Expression): readonly Expression[] {
  const items = [first];
  while (cursor.token.text !== close) {
    expect(cursor, ",");
    if (cursor.token.text !== close) items.push(readItem(cursor));
  }
  advance(cursor);
  return items;
}

function readItem(cursor: Cursor): Expression {
  if (cursor.token.text !== "*") return cursor.rules.named(cursor);
  const { from } = advance(cursor);
  const value = cursor.rules.disjunction(cursor);
  return { kind: "starred", value, span: spanFrom(cursor, from) };
}

function comprehension(
  cursor: Cursor,
  from: number,
  close: string,
  of: Comprehension["of"],
  element: Expression,
  value?: Expression,
): Expression {
  const clauses = readClauses(cursor);
  expect(cursor, close);
  const span = spanFrom(cursor, from);
  return { kind: "comprehension", of, element, ...(value && { value }), clauses, span };
}

function startsClause({ token }: Cursor): boolean {
  return token.text === "for" || token.text === "async";
}

/** The `for … in … if …` parts of a comprehension, outermost first. */
function readClauses(cursor: Cursor): readonly Clause[] {
  const clauses: Clause[] = [];
  while (startsClause(cursor)) {
    take(cursor, "async");
    advance(cursor);
    const target = cursor.rules.targets(cursor);
    expect(cursor, "in");
    const iterable = cursor.rules.disjunction(cursor);
    const conditions: Expression[] = [];
    while (take(cursor, "if")) conditions.push(cursor.rules.disjunction(cursor));
    clauses.push({ target, iterable, conditions });
  }
  return clauses;
}

/** Index in the brackets of `x[…]`. */
export function readIndex(cursor: Cursor): Expression {
  advance(cursor);
  const { from } = cursor.token;
  const items = [readSlice(cursor)];
  let isTuple = items[0]?.kind === "starred";
  while (cursor.token.text !== "]") {
    expect(cursor, ",");
    isTuple = true;
    if (cursor.token.text !== "]") items.push(readSlice(cursor));
  }
  const span = spanFrom(cursor, from);
  advance(cursor);
  const [only] = items;
  return only !== undefined && !isTuple ? only : { kind: "tuple", items, span };
}

function readSlice(cursor: Cursor): Expression {
  const { from } = cursor.token;
  const start = cursor.token.text === ":" ? undefined : readItem(cursor);
  if (start !== undefined && (start.kind === "starred" || cursor.token.text !== ":")) return start;
  expect(cursor, ":");
  const stop = readBound(cursor);
  const step = take(cursor, ":") ? readBound(cursor) : undefined;
  const span = spanFrom(cursor, from);
  return {
    kind: "slice",
    ...(start && { start }),
    ...(stop && { stop }),
    ...(step && { step }),
    span,
  };
}

function readBound(cursor: Cursor): Expression | undefined {
  return startsExpression(cursor.token) ? cursor.rules.expression(cursor) : undefined;
}

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

/** A generator expression without parentheses of its own, allowed as the only argument. */
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
