import type { Fix } from "#core/diagnostics";
import {
  advance,
  type Cursor,
  fault,
  invalidSyntax,
  SyntaxFault,
  spanFrom,
  startsExpression,
  take,
  takeName,
} from "./cursor.ts";
import { readExpression, readRow, rules } from "./expressions.ts";
import { readFromImport, readImport } from "./imports.ts";
import type { Expression, Statement } from "./syntax.ts";
import { checkTarget } from "./targets.ts";
import type { Token } from "./tokens.ts";

/** A statement without a block of its own. */
export function readSimple(cursor: Cursor): Statement {
  const { token } = cursor;
  if (token.kind !== "keyword") {
    return isPrint(cursor) ? readPrint(cursor) : readAssignment(cursor);
  }
  switch (token.text) {
    case "pass":
    case "break":
    case "continue":
      advance(cursor);
      return { kind: token.text, span: spanFrom(cursor, token.from) };
    case "return":
      return readReturn(cursor);
    case "raise":
      return readRaise(cursor);
    case "import":
      return readImport(cursor);
    case "from":
      return readFromImport(cursor);
    case "global":
    case "nonlocal":
      return readScope(cursor, token.text);
    case "del":
      return readDelete(cursor);
    case "assert":
      return readAssert(cursor);
    default:
      return readAssignment(cursor);
  }
}

function readReturn(cursor: Cursor): Statement {
  const { from } = advance(cursor);
  if (!startsExpression(cursor.token)) return { kind: "return", span: spanFrom(cursor, from) };
  const value = readRow(cursor);
  return { kind: "return", value, span: spanFrom(cursor, from) };
}

function readRaise(cursor: Cursor): Statement {
  const { from } = advance(cursor);
  if (!startsExpression(cursor.token)) return { kind: "raise", span: spanFrom(cursor, from) };
  const value = readExpression(cursor);
  const cause = take(cursor, "from") ? readExpression(cursor) : undefined;
  return { kind: "raise", value, ...(cause && { cause }), span: spanFrom(cursor, from) };
}

function readScope(cursor: Cursor, kind: "global" | "nonlocal"): Statement {
  const { from } = advance(cursor);
  const names = [takeName(cursor).name];
  while (take(cursor, ",")) names.push(takeName(cursor).name);
  return { kind, names, span: spanFrom(cursor, from) };
}

function readDelete(cursor: Cursor): Statement {
  const { from } = advance(cursor);
  const targets = [readExpression(cursor)];
  while (take(cursor, ",") && startsExpression(cursor.token)) targets.push(readExpression(cursor));
  endStatement(cursor);
  for (const target of targets) checkTarget(target, "delete");
  return { kind: "delete", targets, span: spanFrom(cursor, from) };
}

function readAssert(cursor: Cursor): Statement {
  const { from } = advance(cursor);
  const test = readExpression(cursor);
  const message = take(cursor, ",") ? readExpression(cursor) : undefined;
  return { kind: "assert", test, ...(message && { message }), span: spanFrom(cursor, from) };
}

/** There is nothing behind the statement but the next one. */
export function endStatement(cursor: Cursor): void {
  if (cursor.token.kind !== "end" && cursor.token.text !== ";") throw invalidSyntax(cursor);
}

const updates: ReadonlySet<string> = new Set(
  "+= -= *= @= /= %= &= |= ^= <<= >>= **= //=".split(" "),
);

/** An expression, or what is bound to one. */
function readAssignment(cursor: Cursor): Statement {
  const { from } = cursor.token;
  const first = rules.rowOrYield(cursor);
  const { text } = cursor.token;
  if (text === "=") return readTargets(cursor, from, first);
  if (text === ":") return readAnnotated(cursor, from, first);
  if (updates.has(text)) return readUpdate(cursor, from, first);
  return { kind: "expression", value: first, span: spanFrom(cursor, from) };
}

function readTargets(cursor: Cursor, from: number, first: Expression): Statement {
  const targets: Expression[] = [];
  let value = first;
  while (take(cursor, "=")) {
    targets.push(value);
    value = rules.rowOrYield(cursor);
  }
  endStatement(cursor);
  for (const target of targets) checkTarget(target, "assign to");
  return { kind: "assign", targets, value, span: spanFrom(cursor, from) };
}

function readAnnotated(cursor: Cursor, from: number, target: Expression): Statement {
  advance(cursor);
  readExpression(cursor);
  const value = take(cursor, "=") ? rules.rowOrYield(cursor) : undefined;
  endStatement(cursor);
  if (target.kind === "tuple" || target.kind === "list") {
    throw fault(`only single target (not ${target.kind}) can be annotated`, target.span);
  }
  checkTarget(target, "assign to");
  return { kind: "annotation", target, ...(value && { value }), span: spanFrom(cursor, from) };
}

function readUpdate(cursor: Cursor, from: number, target: Expression): Statement {
  const operator = advance(cursor).text.slice(0, -1);
  const value = rules.rowOrYield(cursor);
  endStatement(cursor);
  if (!["name", "attribute", "subscript"].includes(target.kind)) {
    const message = `'${target.kind}' is an illegal expression for augmented assignment`;
    throw fault(message, target.span);
  }
  return { kind: "update", target, operator, value, span: spanFrom(cursor, from) };
}

/** Whether what follows is printed as Python 2 did: a value right behind the word. */
function isPrint({ token, tokens, at }: Cursor): boolean {
  if (token.text !== "print") return false;
  const next = tokens[at + 1];
  return next !== undefined && (isValue(next) || ["not", "lambda"].includes(next.text));
}

function isValue({ kind, text }: Token): boolean {
  const isWord = kind === "name" || text === "None" || text === "True" || text === "False";
  return isWord || kind === "number" || kind === "string";
}

function readPrint(cursor: Cursor): Statement {
  const { from } = advance(cursor);
  readRow(cursor);
  endStatement(cursor);
  const span = spanFrom(cursor, from);
  const message = "Missing parentheses in call to 'print'. Did you mean print(...)?";
  throw new SyntaxFault(
    "SyntaxError",
    message,
    span,
    asCall(cursor.source.slice(from, span.to), from),
  );
}

/** `print x` as a call, where what it prints stands on one line. */
function asCall(statement: string, from: number): readonly Fix[] {
  const printed = /^print[ \t]+([^>\n][^\n]*)$/.exec(statement)?.[1];
  if (printed === undefined || printed.endsWith(",") || printed.includes("#")) return [];
  const text = `print(${printed})`;
  return [{ title: `Write ${text}`, edits: [{ from, to: from + statement.length, text }] }];
}
