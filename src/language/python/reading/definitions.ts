import type { Span } from "#core/diagnostics";
import { readArguments } from "./brackets.ts";
import { advance, type Cursor, invalidSyntax, nameOf, take, takeName } from "./cursor.ts";
import { readExpression, readNamed } from "./expressions.ts";
import { readParameters } from "./parameters.ts";
import type { Expression, FunctionNode, Statement } from "./syntax.ts";
import type { Token } from "./tokens.ts";

/** Line-by-line reading of compound statements. */
export interface Blocks {
  readonly cursor: Cursor;
  /** Indentation of the current line. */
  readonly indent: () => number;
  /** Statements after the current colon, on its line or as an indented block. */
  readonly suite: () => readonly Statement[];
  /**
   * Moves to the next line if it has the given indentation and begins with a word; returns whether
   * it did.
   */
  readonly follows: (indent: number, word: string) => boolean;
  /** Moves to the next line if it has at least the given indentation; returns whether it did. */
  readonly next: (indent: number) => boolean;
  /** Moves to the next line, which must be more indented; returns its indentation. */
  readonly enter: (colon: Token) => number;
}

/**
 * `def` and `class` with their decorators. An `async def` is read as a plain function that runs
 * when called, so that awaited results are already there.
 */
export function readDefinition(blocks: Blocks): Statement {
  const { cursor } = blocks;
  const { from } = cursor.token;
  const indent = blocks.indent();
  const decorators: Expression[] = [];
  while (take(cursor, "@")) {
    decorators.push(readNamed(cursor));
    if (cursor.token.kind !== "end" || !blocks.next(indent)) throw invalidSyntax(cursor);
  }
  switch (cursor.token.text) {
    case "def":
      return readFunction(blocks, from, decorators);
    case "class":
      return readClass(blocks, from, decorators);
    case "async":
      if (cursor.tokens[cursor.at + 1]?.text !== "def") throw invalidSyntax(cursor);
      advance(cursor);
      return readFunction(blocks, from, decorators);
    default:
      throw invalidSyntax(cursor);
  }
}

function readFunction(blocks: Blocks, from: number, decorators: readonly Expression[]): Statement {
  const { cursor } = blocks;
  advance(cursor);
  const named = takeName(cursor);
  skipTypeParameters(cursor);
  const parameters = readParameters(cursor);
  const returns = take(cursor, "->") ? readExpression(cursor).span : undefined;
  const body = blocks.suite();
  const docstring = docstringOf(body);
  const { span, bodySpan } = spansOf(from, named.nameSpan, body);
  const definition: FunctionNode = {
    ...named,
    parameters,
    body,
    span,
    bodySpan,
    ...(returns && { returnAnnotationSpan: returns }),
    ...(docstring !== undefined && { docstring }),
    decorators,
  };
  return { kind: "function", definition, span };
}

function readClass(blocks: Blocks, from: number, decorators: readonly Expression[]): Statement {
  const { cursor } = blocks;
  advance(cursor);
  const { token, owner } = cursor;
  const { nameSpan } = takeName(cursor);
  const name = nameOf(cursor, token);
  skipTypeParameters(cursor);
  const args = cursor.token.text === "(" ? readArguments(cursor) : [];
  // Private names in the body belong to the class. After a fault the caller restores the owner.
  cursor.owner = token.text;
  const body = blocks.suite();
  cursor.owner = owner;
  const docstring = docstringOf(body);
  const { span } = spansOf(from, nameSpan, body);
  const doc = docstring === undefined ? {} : { docstring };
  return {
    kind: "class",
    definition: { name, args, body, span, nameSpan, ...doc, decorators },
    span,
  };
}

/** Skips type parameters, `def f[T](x)`, which have no effect. */
function skipTypeParameters(cursor: Cursor): void {
  if (!take(cursor, "[")) return;
  for (let depth = 1; depth > 0; ) {
    const { kind, text } = cursor.token;
    if (kind === "end") throw invalidSyntax(cursor);
    if (text === "[") depth += 1;
    if (text === "]") depth -= 1;
    advance(cursor);
  }
}

/** Spans of a definition: it ends with its last statement, before trailing blank lines. */
function spansOf(
  from: number,
  nameSpan: Span,
  body: readonly Statement[],
): Pick<FunctionNode, "span" | "bodySpan"> {
  const start = body[0]?.span.from ?? nameSpan.to;
  const to = body.at(-1)?.span.to ?? nameSpan.to;
  return { span: { from, to }, bodySpan: { from: start, to } };
}

function docstringOf(body: readonly Statement[]): string | undefined {
  const [first] = body;
  if (first?.kind !== "expression" || first.value.kind !== "constant") return undefined;
  return first.value.value.kind === "str" ? first.value.value.value : undefined;
}
