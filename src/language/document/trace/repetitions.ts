import type { DimAnno } from "#core/dimops";
import type { IndexAxis, Operand, Operator } from "#core/ir";
import type { TracedOperator } from "./traced.ts";

/** Whether an operator is the primitive Tile, whose strategy splits the repetitions of a dim. */
export function isTile({ op, primitive }: TracedOperator): boolean {
  return op === "Tile" && primitive !== undefined;
}

/**
 * Tile with its repetitions as index axes, `r0` for dim 0. Its strategy splits them where the
 * annotation has a number. Index axes keep the order of dims, as in a device matrix.
 */
export function withRepetitions(operator: Operator): Operator {
  const [output] = operator.outputs;
  if (output === undefined) return operator;
  const sizeOf = new Map(operator.axes.map((axis) => [axis.name, axis]));
  const axes: IndexAxis[] = [];
  const dims = output.dims.map((dim, at): Operand["dims"][number] => {
    const [first = "", ...inner] = dim.identifiers;
    const size = Number(first);
    const isRepeated = inner.length > 0 && size > 1;
    if (isRepeated) axes.push({ name: `r${at}`, size, reduction: "" });
    for (const name of isRepeated ? inner : dim.identifiers) {
      const axis = sizeOf.get(name);
      if (axis !== undefined) axes.push(axis);
    }
    return isRepeated ? { identifiers: [`r${at}`, ...inner], splittable: `r${at}` } : dim;
  });
  const shapes = operator.annotation.outputs.map((shape, at) =>
    at > 0 ? shape : { ...shape, dims: shape.dims.map(named) },
  );
  return {
    ...operator,
    axes,
    annotation: { ...operator.annotation, outputs: shapes },
    outputs: [{ ...output, dims }],
  };
}

/**
 * Operator and shapes that a strategy tuple refers to. For Tile the tuple splits the repetitions of
 * a dim if it has any, else the input's dim; other operators are returned unchanged.
 */
export function strategySide(
  operator: Operator,
  traced: TracedOperator,
  shapes: readonly (readonly number[])[],
): { readonly operator: Operator; readonly shapes: readonly (readonly number[])[] } {
  const [input, output] = [operator.inputs[0], operator.outputs[0]];
  if (!isTile(traced) || input === undefined || output === undefined) return { operator, shapes };
  const sizeOf = new Map(operator.axes.map(({ name, size }) => [name, size]));
  const sizes = output.dims.map(
    ({ splittable = "" }, dim) => sizeOf.get(splittable) ?? shapes[0]?.[dim] ?? 1,
  );
  return { operator: { ...operator, inputs: [{ ...input, dims: output.dims }] }, shapes: [sizes] };
}

function named(dim: DimAnno, at: number): DimAnno {
  const [first, ...inner] = dim.identifiers;
  if (first?.kind !== "number" || inner.length === 0 || Number(first.name) <= 1) return dim;
  return {
    ...dim,
    identifiers: [{ ...first, name: `r${at}`, kind: "name", reduction: "" }, ...inner],
  };
}
