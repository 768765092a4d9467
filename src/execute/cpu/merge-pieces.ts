import type { Operator } from "#core/ir";
import type { IndexRange } from "#core/program";

/** How a further value of an element joins the one that is there. */
export type Merge = (held: number, value: number) => number;

const merges: Readonly<Record<"sum" | "max" | "min", Merge>> = {
  sum: (held, value) => held + value,
  max: Math.max,
  min: Math.min,
};

const latest: Merge = (_, value) => value;

/**
 * How the values of a range join what the device has made before. Pieces of a summed axis on one
 * device each make the same part of the result, which the device combines as it goes.
 */
export function createMerges(operator: Operator): (range: IndexRange, output: number) => Merge {
  const seen = new Set<string>();
  const { combine = "sum" }: { readonly combine?: keyof typeof merges } = operator;
  const isSummed = operator.axes.some(({ reduction }) => reduction === "+");
  if (!isSummed) return () => latest;
  return ({ device, piece, outputs }, at) => {
    const ranges = (outputs[at]?.box ?? []).map(({ start, stop }) => `${start}-${stop}`);
    const key = `${at};${device};${ranges.join()}`;
    const isAgain = piece > 0 && seen.has(key);
    seen.add(key);
    return isAgain ? merges[combine] : latest;
  };
}
