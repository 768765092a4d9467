import type { SyntaxNode } from "@lezer/common";
import type { Span } from "#core/diagnostics";
import {
  invalidSyntax,
  nameOf,
  type Reading,
  SyntaxFault,
  spanOf,
  splitAt,
  textOf,
} from "./reading.ts";
import type { ImportedName, Statement } from "./syntax.ts";

/** `import a.b as c` and `from .a import (b as c, d)`. */
export function lowerImport(
  reading: Reading,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
): Statement {
  const span = spanOf(reading, node);
  const at = parts.findIndex((part) => part.name === "import");
  const names = splitAt(withoutBrackets(parts.slice(at + 1)), ",").map((group) =>
    lowerName(reading, group),
  );
  if (names.length === 0) throw invalidSyntax(reading, node);
  if (at === 0) return { kind: "import", names, span };
  const path = parts.slice(1, at);
  const [first] = path;
  const last = path.at(-1);
  if (first === undefined || last === undefined) throw invalidSyntax(reading, node);
  const module = path.map((part) => textOf(reading, part)).join("");
  for (const { name, span: place } of names) checkName(module, name, place);
  const moduleSpan = spanOf(reading, { from: first.from, to: last.to });
  return { kind: "from-import", module, moduleSpan, names, span };
}

const futureNames: ReadonlySet<string> = new Set(
  "annotations division print_function absolute_import generator_stop generators nested_scopes unicode_literals with_statement barry_as_FLUFL".split(
    " ",
  ),
);

function checkName(module: string, name: string, place: Span): void {
  if (name.includes(".")) throw new SyntaxFault("SyntaxError", "invalid syntax", place);
  if (module !== "__future__" || futureNames.has(name)) return;
  const message = name === "braces" ? "not a chance" : `future feature ${name} is not defined`;
  throw new SyntaxFault("SyntaxError", message, place);
}

function withoutBrackets(parts: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return parts.filter((part) => part.name !== "(" && part.name !== ")");
}

function lowerName(reading: Reading, group: readonly SyntaxNode[]): ImportedName {
  const at = group.findIndex((part) => part.name === "as");
  const path = at < 0 ? group : group.slice(0, at);
  const [first] = path;
  const last = path.at(-1);
  const as = at < 0 ? undefined : group[at + 1];
  if (first === undefined || last === undefined) {
    throw new SyntaxFault("SyntaxError", "invalid syntax", { from: 0, to: 0 });
  }
  return {
    name: path.map((part) => textOf(reading, part)).join(""),
    ...(as === undefined ? {} : { as: nameOf(reading, as) }),
    span: spanOf(reading, { from: first.from, to: last.to }),
  };
}
