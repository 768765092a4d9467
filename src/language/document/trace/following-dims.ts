import type { DimAnno, OpAnno } from "#core/dimops";

/**
 * Per result and dim: whether its size follows from the chosen operand dims. It does if it shares
 * an identifier with one, or if it is a number and a chosen dim ends at the operator, like the
 * lengths that a concatenation adds.
 *
 * @param isMeant whether a dim of an input is one of the chosen ones
 */
export function followingDims(
  { inputs, outputs }: OpAnno,
  isMeant: (input: number, dim: number) => boolean,
): readonly (readonly boolean[])[] {
  const places = new Map<string, number>();
  const meant = new Set<string>();
  for (const [input, { dims }] of inputs.entries()) {
    for (const [at, dim] of dims.entries()) {
      for (const name of namesOf(dim)) {
        places.set(name, (places.get(name) ?? 0) + 1);
        if (isMeant(input, at)) meant.add(name);
      }
    }
  }
  const kept = new Set(outputs.flatMap(({ dims }) => dims.flatMap(namesOf)));
  // An identifier that two operands share and no result has is contracted; no size follows from it.
  const ends = [...meant].some((name) => !kept.has(name) && places.get(name) === 1);
  return outputs.map(({ dims }) =>
    dims.map((dim) => {
      const names = namesOf(dim);
      return names.length === 0 ? ends : names.some((name) => meant.has(name));
    }),
  );
}

/** Identifiers of a dim that stand for sizes; numbers are left out. */
function namesOf({ identifiers }: DimAnno): readonly string[] {
  return identifiers.flatMap(({ kind, name }) => (kind === "name" ? [name] : []));
}
