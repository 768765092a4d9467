import { type DType, entryOf, type LibraryEntry, type Tensor } from "#core/ir";
import { isFloat, promotedPair } from "#core/ir/types";

/**
 * The data type in which an operator of a gradient makes it, before it is cast to that of its operand.
 * A kernel of its own (a norm's, a look-up's) makes it as it is wanted; what is computed element by
 * element, and products, are of the type of all that they read.
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
