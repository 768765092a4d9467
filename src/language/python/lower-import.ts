import type { SyntaxNode } from "@lezer/common";
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
  const moduleSpan = spanOf(reading, { from: first.from, to: last.to });
  return { kind: "from-import", module, moduleSpan, names, span };
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
