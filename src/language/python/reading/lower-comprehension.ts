import type { SyntaxNode } from "@lezer/common";
import { type Reading, SyntaxFault, unsupported } from "./reading.ts";
import type { Clause, Expression } from "./syntax.ts";

/** Splits the flat children of a comprehension at its first `for`. */
export function splitComprehension(parts: readonly SyntaxNode[]): {
  readonly head: readonly SyntaxNode[];
  readonly clauses: readonly SyntaxNode[];
} {
  const at = parts.findIndex((part) => part.name === "for" || part.name === "async");
  if (at < 0) return { head: parts, clauses: [] };
  return { head: parts.slice(0, at), clauses: parts.slice(at) };
}

type Lower = (reading: Reading, node: SyntaxNode) => Expression;
type LowerTuple = (reading: Reading, parts: readonly SyntaxNode[]) => Expression;

/** The `for … in … if …` parts, outermost first. */
export function lowerClauses(
  reading: Reading,
  parts: readonly SyntaxNode[],
  lower: Lower,
  lowerTuple: LowerTuple,
): readonly Clause[] {
  const clauses: { target: Expression; iterable: Expression; conditions: Expression[] }[] = [];
  let index = 0;
  while (index < parts.length) {
    const part = parts[index];
    if (part?.name === "async") throw unsupported(reading, "async", part);
    const next = parts.findIndex((other, at) => at > index && isClauseWord(other));
    const end = next < 0 ? parts.length : next;
    if (part?.name === "for") {
      const found = parts.findIndex((other, at) => at > index && other.name === "in");
      const iterable = parts[found + 1];
      if (found < 0 || iterable === undefined) throw missing(part);
      const target = lowerTuple(reading, parts.slice(index + 1, found));
      clauses.push({ target, iterable: lower(reading, iterable), conditions: [] });
    } else {
      const condition = parts[index + 1];
      if (condition === undefined) throw missing(part);
      clauses.at(-1)?.conditions.push(lower(reading, condition));
    }
    index = end;
  }
  return clauses;
}

function isClauseWord(part: SyntaxNode): boolean {
  return part.name === "for" || part.name === "if" || part.name === "async";
}

function missing(part: SyntaxNode | undefined): SyntaxFault {
  return new SyntaxFault("SyntaxError", "invalid syntax", {
    from: part?.from ?? 0,
    to: part?.to ?? 0,
  });
}
