import { dictOf } from "../values/text-key.ts";
import type { Value } from "../values/value.ts";
import type { Evaluate, Scope } from "./scope.ts";

/**
 * `locals()` of a function: its bound names, parameters first, as a new dict; `undefined` outside
 * functions.
 */
export function compileLocals(scope: Scope): Evaluate | undefined {
  if (scope.kind !== "function") return undefined;
  return (environment) => {
    const bound = [...scope.slots].flatMap(([name, index]): (readonly [string, Value])[] => {
      const value = environment.slots[index];
      return value === undefined || name.startsWith("\u0000") ? [] : [[name, value]];
    });
    return dictOf(bound);
  };
}
