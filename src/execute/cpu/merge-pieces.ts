import type { Operator } from "#core/ir";
import type { IndexRange } from "#core/program";
import { createWriteCounter } from "#execute/engine";
import type { Merge, NumberRules } from "./number-rules.ts";

/** The later value replaces the earlier one. */
export const latest: Merge = (_, value) => value;

/**
 * Rule that merges a newly computed value into the device's earlier one, by index range and output.
 */
export function createMerges(
  operator: Operator,
  { joins }: Pick<NumberRules, "joins">,
): (range: IndexRange, output: number) => Merge {
  const { combine = "sum" }: { readonly combine?: "sum" | "max" | "min" } = operator;
  const writesOf = createWriteCounter(operator);
  return (range, output) => (writesOf(range, output) > 0 ? joins[combine] : latest);
}
