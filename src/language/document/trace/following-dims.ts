import type { DimAnno, OpAnno } from "#core/dimops";

/**
 * For each result and dim, whether its size follows from the chosen operand dims: it has an
 * identifier of one of them; or it is a number and one of them ends at the operator, like the
 * lengths that a concatenation adds up.
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
  // What two operands share and no result has is contracted, and no size follows from it.
  const ends = [...meant].some((name) => !kept.has(name) && places.get(name) === 1);
  return outputs.map(({ dims }) =>
    dims.map((dim) => {
      const names = namesOf(dim);
      return names.length === 0 ? ends : names.some((name) => meant.has(name));
    }),
  );
}

/** The identifiers of a dim that stand for sizes; a number stands for itself. */
function namesOf({ identifiers }: DimAnno): readonly string[] {
  return identifiers.flatMap(({ kind, name }) => (kind === "name" ? [name] : []));
}
