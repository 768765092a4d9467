import type { ClassValue, Value } from "../values/value.ts";

/** The names of one running block. `parent` is the environment of the scope around it. */
export interface Environment {
  readonly slots: (Value | undefined)[];
  readonly parent: Environment | undefined;
  /** Names of a class body, which are looked up by text. */
  readonly names: Map<string, Value> | undefined;
  /** The class that a class body has made, for `super()` in its methods. */
  owner: ClassValue | undefined;
  /** What a `return` statement gives. */
  returned: Value | undefined;
}

export function createEnvironment(
  parent: Environment | undefined,
  slots: (Value | undefined)[] = [],
  names?: Map<string, Value>,
): Environment {
  return { slots, parent, names, owner: undefined, returned: undefined };
}

/** Evaluates an expression in an environment. */
export type Evaluate = (environment: Environment) => Value;

/** Stores a value at a target. */
export type Store = (environment: Environment, value: Value) => void;

/** How a statement ends: it goes on, or it leaves a loop or the function. */
export const completion = { next: 0, break: 1, continue: 2, return: 3 } as const;
export type Completion = (typeof completion)[keyof typeof completion];

/** Runs a statement in an environment. */
export type Execute = (environment: Environment) => Completion;

/** The environment `hops` scopes further out. */
export function outward(environment: Environment, hops: number): Environment {
  let found = environment;
  for (let hop = 0; hop < hops; hop += 1) found = found.parent ?? found;
  return found;
}
