import { library } from "#core/ir";
import type { Value } from "#language/python";
import type { At } from "./call-place.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integer, none } from "./values/values.ts";

/** Calls a library operator with operands and attributes (numbers or lists of numbers). */
export function callEntry(
  words: TensorCalls,
  name: string,
  operands: readonly Value[],
  attributes: Readonly<Record<string, number | readonly number[]>>,
  { context, span }: At,
): Value {
  const entry = library.get(name);
  const [first = none] = operands;
  if (entry === undefined) return first;
  const args = operands.map((value) => ({ value, span }));
  const named = Object.entries(attributes).map(([key, given]) => ({
    ...{ name: key, span },
    value: typeof given === "number" ? integer(given) : listOf(given),
  }));
  return words.call(entry, { op: name, reducesInside: false }, [...args, ...named], context, span);
}

function listOf(numbers: readonly number[]): Value {
  return { kind: "list", items: numbers.map(integer) };
}
