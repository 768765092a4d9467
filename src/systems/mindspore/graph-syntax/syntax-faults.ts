import type { Span } from "#core/diagnostics";
import type { Expression, Statement } from "#language/python";
import { partsOf } from "./read-names.ts";

/** What MindSpore's parser refuses, and where. */
export interface SyntaxFault {
  readonly message: string;
  readonly upstream:
    | "UnboundLocalError"
    | "NameError"
    | "RuntimeError"
    | "AttributeError"
    | "ValueError"
    | "KeyError"
    | "TypeError";
  readonly span: Span;
}

/** Why a statement has no place in a graph of MindSpore; `undefined` of one that has. */
export function unsupported(statement: Statement): SyntaxFault | undefined {
  const { kind, span } = statement;
  const names: Partial<Record<Statement["kind"], string>> = {
    ...{ try: "try", import: "import", "from-import": "import", delete: "del", class: "class" },
  };
  const name = kind === "for" && statement.otherwise.length > 0 ? "for … else" : names[kind];
  return name === undefined ? undefined : withoutSyntax(name, span);
}

/** Why an expression has none: it assigns with `:=` somewhere in it. */
export function walrusIn(expression: Expression): SyntaxFault | undefined {
  if (expression.kind === "walrus") return withoutSyntax(":=", expression.span);
  for (const part of partsOf(expression)) {
    const found = walrusIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withoutSyntax(name: string, span: Span): SyntaxFault {
  const message = `a graph of MindSpore has no "${name}"`;
  return { message, upstream: "RuntimeError", span };
}
