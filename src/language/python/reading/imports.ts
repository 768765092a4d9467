import {
  advance,
  type Cursor,
  expect,
  fault,
  invalidSyntax,
  nameOf,
  spanFrom,
  take,
} from "./cursor.ts";
import type { ImportedName, Statement } from "./syntax.ts";

/** `import a.b as c`, several of them between commas. */
export function readImport(cursor: Cursor): Statement {
  const { from } = advance(cursor);
  const names = [readDotted(cursor)];
  while (take(cursor, ",")) names.push(readDotted(cursor));
  return { kind: "import", names, span: spanFrom(cursor, from) };
}

/** `from .a import (b as c, d)`. */
export function readFromImport(cursor: Cursor): Statement {
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
