import type { Span } from "#core/diagnostics";
import type { Expression, Statement } from "#language/python";
import { partsOf } from "./read-names.ts";

/** Code that MindSpore's parser refuses, with the exception. */
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

/** Why a statement is not supported in a graph of MindSpore; `undefined` if it is. */
export function unsupported(statement: Statement): SyntaxFault | undefined {
  const { kind, span } = statement;
  const names: Partial<Record<Statement["kind"], string>> = {
    ...{ try: "try", import: "import", "from-import": "import", delete: "del", class: "class" },
  };
  const name = kind === "for" && statement.otherwise.length > 0 ? "for … else" : names[kind];
  return name === undefined ? undefined : withoutSyntax(name, span);
}

/** The fault of an expression that contains an assignment by `:=`; `undefined` without one. */
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
