import type { Operator } from "#core/ir";
import type { IndexRange } from "#core/program";

/**
 * How often the device has made the cells of a range's result before. Pieces of a summed axis on
 * one device each make the same part of the result, which the device combines as it goes; what
 * nothing is summed in is made once.
 */
export function createTurns(operator: Operator): (range: IndexRange, output: number) => number {
  const seen = new Map<string, number>();
  const isSummed = operator.axes.some(({ reduction }) => reduction === "+");
  if (!isSummed) return () => 0;
  return ({ device, piece, outputs }, at) => {
    const ranges = (outputs[at]?.box ?? []).map(({ start, stop }) => `${start}-${stop}`);
    const key = `${at};${device};${ranges.join()}`;
    const turn = seen.get(key) ?? 0;
    seen.set(key, turn + 1);
    return piece > 0 ? turn : 0;
  };
}
