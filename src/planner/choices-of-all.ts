import type { Operator } from "#core/ir";
import {
  type Choice,
  type ChoiceContext,
  choicesOf,
  leastAlone,
  ownStrategies,
} from "./choices.ts";
import type { Keys } from "./keys.ts";
import type { MeshMemory } from "./planner-memory.ts";
import { TooWide } from "./too-wide.ts";

/**
 * The most pairs of strategies of neighbours that are priced, over all kinds of operators together.
 */
const pairLimit = 2.5e7;

/** The choices of every operator; operators of one kind share one list. */
export function choicesOfAll(
  keys: Keys,
  known: MeshMemory,
  context: ChoiceContext,
): readonly (readonly Choice[])[] {
  const { request } = context;
  const kinds = new Map(request.graph.operators.map((each) => [keys.operator(each), each]));
  const fresh = [...kinds].filter(([key]) => !known.choices.has(key));
  const strategies = new Map(fresh.map(([key, each]) => [key, ownStrategies(each, context)]));
  // No limit for models of single-axis steps, which price one axis at a time.
  if (request.model === undefined && pairsOf(fresh, strategies) > pairLimit) throw new TooWide();
  for (const [key, operator] of fresh) {
    known.choices.set(key, choicesOf(operator, strategies.get(key) ?? [], context));
  }
  return request.graph.operators.map((each) => known.choices.get(keys.operator(each)) ?? []);
}

function pairsOf(
  kinds: readonly (readonly [number, Operator])[],
  strategies: ReadonlyMap<number, readonly unknown[]>,
): number {
  return kinds.reduce((sum, [key, { inputs, outputs }]) => {
    const count = strategies.get(key)?.length ?? 0;
    return sum + count * count * (inputs.length + outputs.length);
  }, 0);
}

/** The least seconds that the operators of a request take by themselves. */
export function floorOf(keys: Keys, context: ChoiceContext): number {
  const known = new Map<number, number>();
  return context.request.graph.operators.reduce((sum, operator) => {
    const key = keys.operator(operator);
    const least = known.get(key) ?? leastAlone(operator, context);
    known.set(key, least);
    return sum + least;
  }, 0);
}
