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
 * Whether a call fails where sizes that nobody gave meet sizes that the text gives: those fit each
 * other, and the ones that nobody gave do too, so that others in their place would do.
 */
export function failsByAssumed(
  code: string,
  { assumed }: TracedOperator,
  candidates: readonly OpAnno[],
  shapes: readonly (readonly number[] | undefined)[],
): boolean {
  if (assumed === undefined || !ofSizes.has(code)) return false;
  const left = (isKept: (isAssumed: boolean) => boolean) =>
    shapes.map((shape, operand) =>
      shape?.map((size, dim): Size => {
        return isKept(assumed[operand]?.[dim] === true) ? size : freshSize();
      }),
    );
  return candidates.some(
    (each) =>
      fitsSymbolic(
        each,
        left((isAssumed) => !isAssumed),
      ) &&
      fitsSymbolic(
        each,
        left((isAssumed) => isAssumed),
      ),
  );
}
