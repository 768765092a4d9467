import type { Operator } from "#core/ir";
import type { IndexRange } from "#core/program";
import { createWriteCounter } from "#execute/engine";
import type { Merge, NumberRules } from "./number-rules.ts";

/** The further value replaces the one that is there. */
export const latest: Merge = (_, value) => value;

/** How the values of a range join what the device has made before. */
export function createMerges(
  operator: Operator,
  { joins }: Pick<NumberRules, "joins">,
): (range: IndexRange, output: number) => Merge {
  const { combine = "sum" }: { readonly combine?: "sum" | "max" | "min" } = operator;
  const writesOf = createWriteCounter(operator);
  return (range, output) => (writesOf(range, output) > 0 ? joins[combine] : latest);
}
