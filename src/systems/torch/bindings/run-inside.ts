import { hostFunction } from "#language/document/bindings/values";
import type { Value } from "#language/python";

/**
 * A function that runs inside a context, as a decorator makes one; one of the text stays one, and so
 * becomes a method.
 */
export function runInside(target: Value, inside: (run: () => Value) => Value): Value {
  if (target.kind === "function")
    return { ...target, run: (...run) => inside(() => target.run(...run)) };
  return hostFunction("decorated", (args, context, span) =>
    inside(() => context.call(target, args, span)),
  );
}
