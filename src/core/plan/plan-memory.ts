import type { Operand, Operator } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { OperatorPlan } from "./plan.ts";
import { producedLayout, wantedLayout } from "./projection.ts";

/**
 * A cache of facts about single operators, keyed by the identity of operator and plan. It serves
 * several passes over a graph, and later graphs that share operators with it. Entries not used
 * between two calls of `begin` are dropped.
 */
export interface PlanMemory {
  /** Marks the start of another graph. */
  readonly begin: () => void;
  /** `wantedLayout` of an operand that carries no partial sum. */
  readonly wanted: (operand: Operand, plan: OperatorPlan) => Layout;
  /** `producedLayout`. */
  readonly produced: (operator: Operator, operand: Operand, plan: OperatorPlan) => Layout;
  /** The legal part of a requested plan; computed anew while the check reports diagnostics. */
  readonly legal: (
    operator: Operator,
    asked: OperatorPlan,
    find: () => { readonly plan: OperatorPlan; readonly isSilent: boolean },
  ) => OperatorPlan;
}

/** An empty cache. */
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
      layouts.wanted.known(operand, plan, undefined) ??
      layouts.wanted.keep(operand, plan, undefined, wantedLayout(operand, plan)),
    produced: (operator, operand, plan) =>
      layouts.produced.known(operand, plan, operator) ??
      layouts.produced.keep(operand, plan, operator, producedLayout(operator, operand, plan)),
    legal: (operator, asked, find) => {
      const known = plans.known(operator, asked, undefined);
      if (known !== undefined) return known;
      const { plan, isSilent } = find();
      return isSilent ? plans.keep(operator, asked, undefined, plan) : plan;
    },
  };
}

interface Answer<T> {
  readonly plan: OperatorPlan;
  readonly operator: Operator | undefined;
  readonly value: T;
}

type About<Key> = readonly [key: Key, plan: OperatorPlan, operator: Operator | undefined];

interface Answers<Key, T> {
  readonly begin: () => void;
  readonly known: (...about: About<Key>) => T | undefined;
  /** Stores an answer, and returns it. */
  readonly keep: (...about: [...About<Key>, value: T]) => T;
}

/** The last answer for each object, valid while the object has the same plan. */
function createAnswers<Key, T extends object>(): Answers<Key, T> {
  let now = new Map<Key, Answer<T>>();
  let before = now;
  return {
    begin: () => {
      before = now;
      now = new Map();
    },
    known: (key, plan, operator) => {
      const known = now.get(key);
      if (known?.plan === plan && known.operator === operator) return known.value;
      const earlier = before.get(key);
      if (earlier?.plan !== plan || earlier.operator !== operator) return undefined;
      now.set(key, earlier);
      return earlier.value;
    },
    keep: (key, plan, operator, value) => {
      now.set(key, { plan, operator, value });
      return value;
    },
  };
}
