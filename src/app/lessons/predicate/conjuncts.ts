import { evaluate, isTrue, type World } from "./evaluate.ts";
import type { Expression } from "./expression.ts";
import { wordsOfConjunct } from "./words.ts";

/** Top-level `and` operand of a condition, with its result. */
export interface Conjunct {
  readonly condition: string;
  readonly isMet: boolean;
  /** Present and required value: `sends 50.3 MB, at most 25.2 MB`. */
  readonly words: string;
}

/**
 * Splits a condition at its top-level `and`s and evaluates each part; the condition is met if all
 * are.
 */
export function conjunctsOf(
  expression: Expression,
  source: string,
  world: World,
): readonly Conjunct[] {
  if (expression.kind === "and") {
    return expression.parts.flatMap((part) => conjunctsOf(part, source, world));
  }
  const value = evaluate(expression, world);
  return [
    {
      condition: source.slice(expression.span.from, expression.span.to),
      isMet: isTrue(value),
      words: wordsOfConjunct(expression, world, value),
    },
  ];
}
