import type { OpAnno } from "#core/dimops";
import { freshSize, type Size } from "./size.ts";
import { fitsSymbolic } from "./symbolic.ts";
import type { TracedOperator } from "./traced.ts";

/** What is wrong with sizes, which others would not have. */
const ofSizes: ReadonlySet<string> = new Set([
  "dimops/size-conflict",
  "dimops/indivisible-size",
  "dimops/rank-mismatch",
]);

/**
 * Whether a call fails by sizes that nobody gave: with others in their place it would fit, as far as
 * the sizes are concerned that the text gives.
 */
export function failsByAssumed(
  code: string,
  { assumed, inputs }: TracedOperator,
  candidates: readonly OpAnno[],
  shapes: readonly (readonly number[] | undefined)[],
): boolean {
  if (assumed === undefined || !ofSizes.has(code)) return false;
  const open = inputs.map((_, operand) =>
    shapes[operand]?.map((size, dim): Size => (assumed[operand]?.[dim] ? freshSize() : size)),
  );
  return candidates.some((each) => fitsSymbolic(each, open));
}
