import type { SyntaxNode } from "@lezer/common";
import { lowerPattern, takesAll, unreachable } from "./lower-pattern.ts";
import { lowerPiece } from "./lower-piece.ts";
import { childNodesOf, invalidSyntax, type Reading, SyntaxFault, spanOf } from "./reading.ts";
import type { Expression, MatchCase, Statement } from "./syntax.ts";

/** How an expression is lowered, and how a row with commas is. */
interface Lower {
  readonly one: (reading: Reading, node: SyntaxNode) => Expression;
  readonly several: (reading: Reading, parts: readonly SyntaxNode[]) => Expression;
}
type LowerBody = (reading: Reading, body: SyntaxNode) => readonly Statement[];

/** `match`, whose patterns stand in the tree as names that only keep their place. */
export function lowerMatch(
  reading: Reading,
  node: SyntaxNode,
  lower: Lower,
  lowerBody: LowerBody,
): Statement {
  const [, subject, body] = childNodesOf(reading, node);
  if (subject === undefined || body === undefined) throw invalidSyntax(reading, node);
  const clauses = childNodesOf(reading, body).filter((part) => part.name === "MatchClause");
  const cases = clauses.map((clause) => lowerCase(reading, clause, lower, lowerBody));
  checkReachable(reading, clauses, cases);
  const span = spanOf(reading, node);
  return { kind: "match", subject: lowerSubject(reading, subject, lower), cases, span };
}

/** The value, which stands in the tree as a name too; a row of several is a tuple. */
function lowerSubject(reading: Reading, node: SyntaxNode, lower: Lower): Expression {
  const { reading: inner, statement } = lowerPiece(reading, spanOf(reading, node));
  return lower.several(inner, childNodesOf(inner, statement));
}

function lowerCase(
  reading: Reading,
  node: SyntaxNode,
  lower: Lower,
  lowerBody: LowerBody,
): MatchCase {
  const parts = childNodesOf(reading, node).slice(1);
  const [place] = parts;
  const body = parts.at(-1);
  const guard = parts.find((part) => part.name === "Guard")?.lastChild;
  if (body?.name !== "Body" || place === undefined) throw invalidSyntax(reading, node);
  return {
    pattern: lowerPattern(reading, spanOf(reading, place), lower.one),
    ...(guard ? { guard: lower.one(reading, guard) } : {}),
    body: lowerBody(reading, body),
  };
}

/** Only the last case may take everything. */
function checkReachable(
  reading: Reading,
  clauses: readonly SyntaxNode[],
  cases: readonly MatchCase[],
): void {
  cases.slice(0, -1).forEach(({ pattern, guard }, index) => {
    const clause = clauses[index];
    const what = guard === undefined ? takesAll(pattern) : undefined;
    if (what === undefined || clause === undefined) return;
    throw new SyntaxFault("SyntaxError", unreachable(what), spanOf(reading, clause));
  });
}
