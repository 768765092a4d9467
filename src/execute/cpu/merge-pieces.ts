import type { Operator } from "#core/ir";
import type { IndexRange } from "#core/program";
import { createWriteCounter } from "#execute/engine";
import type { Merge, NumberRules } from "./number-rules.ts";

/** The later value replaces the earlier one. */
export const latest: Merge = (_, value) => value;

/**
 * By range and output, the rule that joins a new value to the one that the device has computed
 * before.
 */
export function createMerges(
  operator: Operator,
  { joins }: Pick<NumberRules, "joins">,
): (range: IndexRange, output: number) => Merge {
  const { combine = "sum" }: { readonly combine?: "sum" | "max" | "min" } = operator;
  const writesOf = createWriteCounter(operator);
  return (range, output) => (writesOf(range, output) > 0 ? joins[combine] : latest);
}
