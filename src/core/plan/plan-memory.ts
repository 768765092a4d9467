import type { Operand, Operator } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { OperatorPlan } from "./plan.ts";
import { producedLayout, wantedLayout } from "./projection.ts";

/**
 * What follows for single operators of a graph from their plans, remembered from one pass over it
 * to the next, and over a later graph that has many of the same operators: the very same objects,
 * with the very same plans. What two beginnings in a row did not ask for is forgotten.
 */
export interface PlanMemory {
  /** Marks the beginning of another graph. */
  readonly begin: () => void;
  /** `wantedLayout` of an operand that is not carried. */
  readonly wanted: (operand: Operand, plan: OperatorPlan) => Layout;
  /** `producedLayout`. */
  readonly produced: (operator: Operator, operand: Operand, plan: OperatorPlan) => Layout;
  /** What is legal of a plan that is asked for; found anew as long as something is said about it. */
  readonly legal: (
    operator: Operator,
    asked: OperatorPlan,
    find: () => { readonly plan: OperatorPlan; readonly isSilent: boolean },
  ) => OperatorPlan;
}

/** A memory of nothing yet. */
export function createPlanMemory(): PlanMemory {
  const layouts = {
    wanted: createAnswers<Operand, Layout>(),
    produced: createAnswers<Operand, Layout>(),
  };
  const plans = createAnswers<Operator, OperatorPlan>();
  return {
    begin: () => {
      for (const answers of [layouts.wanted, layouts.produced, plans]) answers.begin();
    },
    wanted: (operand, plan) =>
      layouts.wanted.answer(operand, plan, undefined, () => ({
        value: wantedLayout(operand, plan),
        isKept: true,
      })),
    produced: (operator, operand, plan) =>
      layouts.produced.answer(operand, plan, operator, () => ({
        value: producedLayout(operator, operand, plan),
        isKept: true,
      })),
    legal: (operator, asked, find) =>
      plans.answer(operator, asked, undefined, () => {
        const { plan, isSilent } = find();
        return { value: plan, isKept: isSilent };
      }),
  };
}

interface Answer<T> {
  readonly plan: OperatorPlan;
  readonly operator: Operator | undefined;
  readonly value: T;
}

interface Answers<Key, T> {
  readonly begin: () => void;
  readonly answer: (
    key: Key,
    plan: OperatorPlan,
    operator: Operator | undefined,
    find: () => { readonly value: T; readonly isKept: boolean },
  ) => T;
}

/** The last answer for each object, as long as it has the same plan. */
function createAnswers<Key, T>(): Answers<Key, T> {
  let now = new Map<Key, Answer<T>>();
  let before = now;
  return {
    begin: () => {
      before = now;
      now = new Map();
    },
    answer: (key, plan, operator, find) => {
      const known = now.get(key);
      if (known?.plan === plan && known.operator === operator) return known.value;
      const earlier = before.get(key);
      if (earlier?.plan === plan && earlier.operator === operator) {
        now.set(key, earlier);
        return earlier.value;
      }
      const { value, isKept } = find();
      if (isKept) now.set(key, { plan, operator, value });
      return value;
    },
  };
}
