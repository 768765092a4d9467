import type { Fix } from "#core/diagnostics";
import { checkTarget } from "./check-statements.ts";
import {
  advance,
  type Cursor,
  expect,
  fault,
  invalidSyntax,
  nameOf,
  SyntaxFault,
  spanFrom,
  startsExpression,
  take,
  takeName,
} from "./cursor.ts";
import { readExpression, readRow, rules } from "./expressions.ts";
import type { Expression, ImportedName, Statement } from "./syntax.ts";
import type { Token } from "./tokens.ts";

/** A simple statement. */
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

/** Requires the end of the statement: a newline, the end, or `;`. */
export function endStatement(cursor: Cursor): void {
  if (cursor.token.kind !== "end" && cursor.token.text !== ";") throw invalidSyntax(cursor);
}

const updates: ReadonlySet<string> = new Set(
  "+= -= *= @= /= %= &= |= ^= <<= >>= **= //=".split(" "),
);

/** An expression statement, an assignment, an annotated or an augmented one. */
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

/** Whether a Python 2 `print` statement follows: a value directly after the word. */
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

/** Fix that writes `print x` as a call; empty for multi-line statements. */
function asCall(statement: string, from: number): readonly Fix[] {
  const printed = /^print[ \t]+([^>\n][^\n]*)$/.exec(statement)?.[1];
  if (printed === undefined || printed.endsWith(",") || printed.includes("#")) return [];
  const text = `print(${printed})`;
  return [{ title: `Write ${text}`, edits: [{ from, to: from + statement.length, text }] }];
}

/** `import a.b as c`, or several separated by commas. */
function readImport(cursor: Cursor): Statement {
  const { from } = advance(cursor);
  const names = [readDotted(cursor)];
  while (take(cursor, ",")) names.push(readDotted(cursor));
  return { kind: "import", names, span: spanFrom(cursor, from) };
}

/** `from .a import (b as c, d)`. */
function readFromImport(cursor: Cursor): Statement {
  const { from } = advance(cursor);
  const start = cursor.token.from;
  let dots = "";
  while (cursor.token.text === "." || cursor.token.text === "...") dots += advance(cursor).text;
  const module = cursor.token.kind === "name" || dots === "" ? `${dots}${readPath(cursor)}` : dots;
  const moduleSpan = spanFrom(cursor, start);
  expect(cursor, "import");
  const names = readImported(cursor);
  for (const name of names) checkName(module, name);
  return { kind: "from-import", module, moduleSpan, names, span: spanFrom(cursor, from) };
}

function readImported(cursor: Cursor): readonly ImportedName[] {
  if (cursor.token.text === "*") {
    const { from, to } = advance(cursor);
    return [{ name: "*", span: { from, to } }];
  }
  const hasBrackets = take(cursor, "(");
  const names = [readSingle(cursor)];
  while (take(cursor, ",") && cursor.token.kind === "name") names.push(readSingle(cursor));
  if (hasBrackets) expect(cursor, ")");
  return names;
}

function readDotted(cursor: Cursor): ImportedName {
  const { from } = cursor.token;
  const name = readPath(cursor);
  return withAs(cursor, name, from);
}

function readSingle(cursor: Cursor): ImportedName {
  const { from } = cursor.token;
  return withAs(cursor, takeWord(cursor), from);
}

function withAs(cursor: Cursor, name: string, from: number): ImportedName {
  const span = spanFrom(cursor, from);
  if (!take(cursor, "as")) return { name, span };
  const { token } = cursor;
  takeWord(cursor);
  return { name, as: nameOf(cursor, token), span };
}

function readPath(cursor: Cursor): string {
  let path = takeWord(cursor);
  while (take(cursor, ".")) path += `.${takeWord(cursor)}`;
  return path;
}

function takeWord(cursor: Cursor): string {
  if (cursor.token.kind !== "name") throw invalidSyntax(cursor);
  return advance(cursor).text;
}

const futureNames: ReadonlySet<string> = new Set(
  "annotations division print_function absolute_import generator_stop generators nested_scopes unicode_literals with_statement barry_as_FLUFL".split(
    " ",
  ),
);

function checkName(module: string, { name, span }: ImportedName): void {
  if (module !== "__future__" || futureNames.has(name)) return;
  throw fault(name === "braces" ? "not a chance" : `future feature ${name} is not defined`, span);
}
