import type { Operator } from "#core/ir";
import type { IndexRange } from "#core/program";

/**
 * Counts how often a device has already written the same cells of an output: after 0 times a value
 * is stored, later ones are added. Pieces of a summed axis on one device write the same cells; all
 * others write theirs once.
 */
export function createWriteCounter(
  operator: Operator,
): (range: IndexRange, output: number) => number {
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
