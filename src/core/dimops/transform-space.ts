import type { DimAnno, Identifier, OpAnno } from "./annotation.ts";

/**
 * Every distinct way to cut the operator, as `[input, dim]` (`transform_space` upstream).
 *
 * Each identifier that may be cut is named once, by the first input dim that it leads; sizes are
 * not looked at, ignored inputs and outputs are never listed.
 */
export function transformSpace(anno: OpAnno): readonly (readonly [number, number])[] {
  const seen = new Set<string>();
  return anno.inputs.flatMap((shape, input) => {
    if (shape.ignored) return [];
    return shape.dims.flatMap((dim, index): [number, number][] => {
      const leading = leadingIdentifier(dim);
      if (leading === undefined || leading.reduction === "^" || seen.has(leading.name)) return [];
      seen.add(leading.name);
      return [[input, index]];
    });
  });
}

/** The first identifier of a dim that is not the text `1`; none in `1` or `(1 1)`. */
function leadingIdentifier(dim: DimAnno): Identifier | undefined {
  return dim.identifiers.find(({ name }) => name !== "1");
}
