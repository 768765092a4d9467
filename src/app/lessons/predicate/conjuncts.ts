import { evaluate, isTrue, type World } from "./evaluate.ts";
import type { Expression } from "./expression.ts";
import { wordsOfConjunct } from "./words.ts";

/** A part of a condition that has to hold by itself, and whether it does. */
export interface Conjunct {
  readonly condition: string;
  readonly isMet: boolean;
  /** The present value and the wanted one: `sends 50.3 MB, at most 25.2 MB`. */
  readonly words: string;
}

/** The parts of a condition, each with whether it holds; the condition is met if all do. */
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
