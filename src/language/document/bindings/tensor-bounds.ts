import { type LibraryEntry, library } from "#core/ir";
import type { Argument, Value } from "#language/python";
import type { At } from "./call-place.ts";
import type { TensorCalls } from "./tensor-calls.ts";

/**
 * `clamp` with tensor bounds, which broadcast like operands: `maximum` with `min`, then `minimum`
 * with `max`. `undefined` when both bounds are numbers, and for other operators.
 */
export function clampedByTensors(
  words: TensorCalls,
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  { context, span }: At,
): Value | undefined {
  if (entry.name !== "clamp") return undefined;
  const bounds = (
    [
      ["maximum", bound.get("min")],
      ["minimum", bound.get("max")],
    ] as const
  ).flatMap(([name, limit]) => {
    const by = library.get(name);
    return limit === undefined || limit.value.kind === "none" || by === undefined
      ? []
      : [{ by, limit: limit.value }];
  });
  if (!bounds.some(({ limit }) => words.tensorOf(limit) !== undefined)) return undefined;
  return bounds.reduce<Value | undefined>(
    (value, { by, limit }) => {
      const pair = value && [value, limit].map((each) => ({ value: each, span }));
      return pair && words.call(by, { op: by.name, reducesInside: false }, pair, context, span);
    },
    bound.get(entry.parameters[0] ?? "")?.value,
  );
}
