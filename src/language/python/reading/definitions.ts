import type { Span } from "#core/diagnostics";
import { readArguments } from "./brackets.ts";
import { advance, type Cursor, invalidSyntax, nameOf, take, takeName } from "./cursor.ts";
import { readExpression, readNamed } from "./expressions.ts";
import { readParameters } from "./parameters.ts";
import type { Expression, FunctionNode, Statement } from "./syntax.ts";
import type { Token } from "./tokens.ts";

/** How statements with blocks inside go from line to line. */
export interface Blocks {
  readonly cursor: Cursor;
  /** How far in the line stands that is being read. */
  readonly indent: () => number;
  /** The statements behind the colon where the cursor stands, on its line or below it. */
  readonly suite: () => readonly Statement[];
  /** Goes on to the next line if it stands as far in as told and begins with a word. */
  readonly follows: (indent: number, word: string) => boolean;
  /** Goes on to the next line if it stands at least as far in as told. */
  readonly next: (indent: number) => boolean;
  /** Goes on to the next line, which must stand further in; tells how far. */
  readonly enter: (colon: Token) => number;
}

/**
 * `def` and `class`, with the decorators before them. An `async def` is read as if it ran where it is
 * called, so that what is awaited is there already.
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
  // Private names in the body are the class's own; a fault gives the owner back elsewhere.
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

/** `def f[T](x)`: types do nothing here. */
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

/** A definition ends where its last statement ends, not after the blank lines that follow. */
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
