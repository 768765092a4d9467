import type { Operator } from "#core/ir";
import type { IndexRange } from "#core/program";
import { createWriteCounter } from "#execute/engine";

/** How a further value of an element joins the one that is there. */
export type Merge = (held: number, value: number) => number;

const merges: Readonly<Record<"sum" | "max" | "min", Merge>> = {
  sum: (held, value) => held + value,
  max: Math.max,
  min: Math.min,
};

/** The further value replaces the one that is there. */
export const latest: Merge = (_, value) => value;

/** How the values of a range join what the device has made before. */
export function createMerges(operator: Operator): (range: IndexRange, output: number) => Merge {
  const { combine = "sum" }: { readonly combine?: keyof typeof merges } = operator;
  const writesOf = createWriteCounter(operator);
  return (range, output) => (writesOf(range, output) > 0 ? merges[combine] : latest);
}
