import type { Operator } from "#core/ir";
import type { IndexRange } from "#core/program";
import { createWriteCounter } from "#execute/engine";
import type { Merge, NumberRules } from "./number-rules.ts";

/** The further value replaces the one that is there. */
export const latest: Merge = (_, value) => value;

/** By range and output: the rule that joins a new value to what the device has already computed. */
export function createMerges(
  operator: Operator,
  { joins }: Pick<NumberRules, "joins">,
): (range: IndexRange, output: number) => Merge {
  const { combine = "sum" }: { readonly combine?: "sum" | "max" | "min" } = operator;
  const writesOf = createWriteCounter(operator);
  return (range, output) => (writesOf(range, output) > 0 ? joins[combine] : latest);
}
