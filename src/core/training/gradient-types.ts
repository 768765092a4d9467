import { type DType, entryOf, type LibraryEntry, type Tensor } from "#core/ir";
import { isFloat, promotedPair } from "#core/ir/types";

/**
 * The data type in which a gradient's operator makes its result, before the cast to the operand's
 * type. A backward kernel (a norm's, a look-up's) makes it in the wanted type; element-wise
 * operators and products make it in the promoted type of their operands.
 */
export function typeOfStep(entry: LibraryEntry, inputs: readonly Tensor[], wanted: DType): DType {
  const forward = entry.name.endsWith("_backward")
    ? entryOf(entry.name.slice(0, -"_backward".length))
    : undefined;
  if ((forward?.backward?.targets.length ?? 0) > 0) return wanted;
  const floats = inputs.map(({ dtype }) => dtype).filter(isFloat);
  return (
    floats.reduce<DType | undefined>(
      (all, each) => (all === undefined ? each : promotedPair(all, each)),
      undefined,
    ) ?? wanted
  );
}
