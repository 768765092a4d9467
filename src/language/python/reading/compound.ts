import { checkTarget } from "./check-statements.ts";
import {
  advance,
  type Cursor,
  expect,
  fault,
  invalidSyntax,
  spanFrom,
  spanOf,
  startsExpression,
  take,
  takeName,
} from "./cursor.ts";
import { type Blocks, readDefinition } from "./definitions.ts";
import { readExpression, readNamed, readRow, readTarget, readTargets } from "./expressions.ts";
import { readPattern, takesAll, unreachable } from "./patterns.ts";
import type { Expression, Handler, MatchCase, Statement } from "./syntax.ts";

/** A compound statement. */
export function readCompound(blocks: Blocks): Statement {
  const { cursor } = blocks;
  switch (cursor.token.text) {
    case "if":
      return readIf(blocks);
    case "while":
      return readWhile(blocks);
    case "for":
      return readFor(blocks);
    case "try":
      return readTry(blocks);
    case "with":
      return readWith(blocks);
    case "match":
      return readMatch(blocks);
    case "async":
      return readAsync(blocks);
    case "def":
    case "class":
    case "@":
      return readDefinition(blocks);
    default:
      throw invalidSyntax(cursor);
  }
}

/** `async for` and `async with` are read as `for` and `with`. */
function readAsync(blocks: Blocks): Statement {
  const { cursor } = blocks;
  const next = cursor.tokens[cursor.at + 1]?.text;
  if (next !== "for" && next !== "with") return readDefinition(blocks);
  advance(cursor);
  return readCompound(blocks);
}

function readIf(blocks: Blocks): Statement {
  const { cursor, indent } = blocks;
  const own = indent();
  const { from } = cursor.token;
  const branches: { test: Expression; body: readonly Statement[] }[] = [];
  do {
    advance(cursor);
    branches.push({ test: readNamed(cursor), body: blocks.suite() });
  } while (blocks.follows(own, "elif"));
  const otherwise = readClause(blocks, own, "else");
  return { kind: "if", branches, otherwise, span: spanFrom(cursor, from) };
}

/** Block of a clause (`else:`) on the next line at an indentation; empty when it is missing. */
function readClause(blocks: Blocks, indent: number, word: string): readonly Statement[] {
  if (!blocks.follows(indent, word)) return [];
  advance(blocks.cursor);
  return blocks.suite();
}

function readWhile(blocks: Blocks): Statement {
  const { cursor, indent } = blocks;
  const own = indent();
  const { from } = advance(cursor);
  const test = readNamed(cursor);
  const body = blocks.suite();
  const otherwise = readClause(blocks, own, "else");
  return { kind: "while", test, body, otherwise, span: spanFrom(cursor, from) };
}

function readFor(blocks: Blocks): Statement {
  const { cursor, indent } = blocks;
  const own = indent();
  const { from } = advance(cursor);
  const target = readTargets(cursor);
  expect(cursor, "in");
  const iterable = readRow(cursor);
  if (cursor.token.text !== ":") throw invalidSyntax(cursor);
  checkTarget(target, "assign to");
  const body = blocks.suite();
  const otherwise = readClause(blocks, own, "else");
  return { kind: "for", target, iterable, body, otherwise, span: spanFrom(cursor, from) };
}

function readTry(blocks: Blocks): Statement {
  const { cursor, indent } = blocks;
  const own = indent();
  const { from } = advance(cursor);
  const body = blocks.suite();
  const handlers: Handler[] = [];
  while (blocks.follows(own, "except")) handlers.push(readHandler(blocks));
  const otherwise = readClause(blocks, own, "else");
  const hasFinal = blocks.follows(own, "finally");
  if (hasFinal) advance(cursor);
  const final = hasFinal ? blocks.suite() : [];
  const span = spanFrom(cursor, from);
  if (handlers.length === 0 && !hasFinal) {
    throw fault("expected 'except' or 'finally' block", span);
  }
  return { kind: "try", body, handlers, otherwise, final, span };
}

function readHandler(blocks: Blocks): Handler {
  const { cursor } = blocks;
  const span = spanOf(advance(cursor));
  const type = startsExpression(cursor.token) ? readExpression(cursor) : undefined;
  if (type !== undefined && cursor.token.text === ",") {
    throw fault("multiple exception types must be parenthesized", cursor.token);
  }
  const named = type !== undefined && take(cursor, "as") ? takeName(cursor) : {};
  return { ...(type && { type }), ...named, body: blocks.suite(), span };
}

interface WithItem {
  readonly value: Expression;
  readonly target?: Expression;
}

function readWith(blocks: Blocks): Statement {
  const { cursor } = blocks;
  const { from } = advance(cursor);
  const hasBrackets = isBracketed(cursor);
  if (hasBrackets) advance(cursor);
  const items = [readWithItem(cursor)];
  while (take(cursor, ",") && !(hasBrackets && cursor.token.text === ")")) {
    items.push(readWithItem(cursor));
  }
  if (hasBrackets) expect(cursor, ")");
  if (cursor.token.text !== ":") throw invalidSyntax(cursor);
  for (const { target } of items) if (target !== undefined) checkTarget(target, "assign to");
  const body = blocks.suite();
  return { kind: "with", items, body, span: spanFrom(cursor, from) };
}

function readWithItem(cursor: Cursor): WithItem {
  const value = readExpression(cursor);
  return take(cursor, "as") ? { value, target: readTarget(cursor) } : { value };
}

/** Whether brackets enclose all items, as in `with (a as b, c):`. */
function isBracketed({ tokens, at }: Cursor): boolean {
  if (tokens[at]?.text !== "(") return false;
  let depth = 0;
  let isRow = false;
  for (let index = at; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index] ?? { kind: "end", text: "" };
    if (kind === "sign" && /^[([{]$/.test(text)) depth += 1;
    if (kind === "sign" && /^[)\]}]$/.test(text)) depth -= 1;
    if (depth === 0) return isRow && tokens[index + 1]?.text === ":";
    if (depth === 1 && (text === "for" || text === "yield")) return false;
    if (depth === 1 && (text === "as" || text === ",")) isRow = true;
  }
  return false;
}

function readMatch(blocks: Blocks): Statement {
  const { cursor } = blocks;
  const { from } = advance(cursor);
  const subject = readRow(cursor);
  const colon = expect(cursor, ":");
  const inside = blocks.enter(colon);
  const cases: MatchCase[] = [];
  const places: { readonly from: number; readonly to: number }[] = [];
  do {
    const { token } = cursor;
    if (token.text !== "case") throw invalidSyntax(cursor);
    cases.push(readCase(blocks));
    places.push(spanFrom(cursor, token.from));
  } while (blocks.next(inside));
  cases.slice(0, -1).forEach(({ pattern, guard }, index) => {
    const what = guard === undefined ? takesAll(pattern) : undefined;
    if (what !== undefined) throw fault(unreachable(what), places[index] ?? colon);
  });
  return { kind: "match", subject, cases, span: spanFrom(cursor, from) };
}

function readCase(blocks: Blocks): MatchCase {
  const { cursor } = blocks;
  advance(cursor);
  const pattern = readPattern(cursor);
  const guard = take(cursor, "if") ? readNamed(cursor) : undefined;
  return { pattern, ...(guard && { guard }), body: blocks.suite() };
}
