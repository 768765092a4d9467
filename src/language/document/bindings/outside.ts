import type { Value } from "#language/python";
import { hostFunction } from "./namespace.ts";

/** Functions of Python that reach beyond a text: into files, to a person, into its own text. */
const names = ["open", "input", "exec", "eval", "compile", "__import__", "globals", "locals"];

/**
 * Those functions as a reading takes them: they are not run, and what they give is not known.
 *
 * @param unknown something of which is said already that nobody knows it
 */
export function outsideBindings(unknown: (name: string) => Value): ReadonlyMap<string, Value> {
  const words = names.map((name) =>
    hostFunction(name, (_args, context, span) => {
      context.report({
        code: "document/unknown-value",
        severity: "warning",
        message: `${name}() is not run here: what it gives is not known`,
        span,
      });
      return unknown(`${name}()`);
    }),
  );
  return new Map(words.map((word) => [word.name, word]));
}
