import type { OpAnno, ShapeAnno } from "#core/dimops";
import type { Attributes, Operand, Operator } from "#core/ir";
import type { ShapeOf } from "./size-nodes.ts";

/** The new sizes of an operator's axes and numbers. */
interface NewSizes {
  readonly shapeOf: ShapeOf;
  readonly newShapeOf: ShapeOf;
  readonly sizeOfAxis: (axis: string) => number | undefined;
  /** The number at a place of a bracket. */
  readonly sizeOfFactor: (place: string, number: string) => number | undefined;
  readonly attributes: Attributes;
}

/** An operator on other sizes: with new axes, and new numbers for sizes in its annotation. */
export function resizedOperator(operator: Operator, sizes: NewSizes): Operator {
  const axes = operator.axes.map((axis) => ({
    ...axis,
    size: sizes.sizeOfAxis(axis.name) ?? axis.size,
  }));
  const names = new Set(operator.axes.map(({ name }) => name));
  const places = [...operator.inputs, ...operator.outputs];
  const renamed = (operand: Operand): Operand => {
    const at = places.indexOf(operand);
    return { ...operand, dims: newDims(operand, at, names, sizes) };
  };
  const resized = {
    ...operator,
    axes,
    attributes: sizes.attributes,
    inputs: operator.inputs.map(renamed),
    outputs: operator.outputs.map(renamed),
  };
  return { ...resized, annotation: newAnnotation(operator, resized) };
}

function newDims(
  { tensor, dims }: Operand,
  at: number,
  names: ReadonlySet<string>,
  { newShapeOf, sizeOfFactor }: NewSizes,
): Operand["dims"] {
  return dims.map((each, dim) => {
    const { identifiers } = each;
    if (identifiers.every((name) => name === "1" || names.has(name))) return each;
    const long = identifiers.filter((name) => name !== "1");
    if (long.length === 1) {
      const size = String(newShapeOf(tensor)[dim] ?? 1);
      return { ...each, identifiers: identifiers.map((name) => (name === "1" ? name : size)) };
    }
    let place = -1;
    const numbered = identifiers.map((name) => {
      if (name === "1") return name;
      place += 1;
      return names.has(name) ? name : String(sizeOfFactor(`${at} ${dim} ${place}`, name) ?? name);
    });
    return { ...each, identifiers: numbered };
  });
}

/** The annotation with the operands' new numbers, if it gives them dim by dim. */
function newAnnotation(
  { annotation, ...before }: Operator,
  now: Pick<Operator, "inputs" | "outputs">,
): OpAnno {
  const rows = (
    shapes: readonly ShapeAnno[],
    old: readonly Operand[],
    next: readonly Operand[],
  ) => {
    const given = [...old.keys()];
    return shapes.map((shape): ShapeAnno => {
      const at = shape.ignored ? undefined : given.shift();
      const [from, to] = at === undefined ? [] : [old[at], next[at]];
      return from === undefined || to === undefined ? shape : newShape(shape, from, to);
    });
  };
  return {
    inputs: rows(annotation.inputs, before.inputs, now.inputs),
    outputs: rows(annotation.outputs, before.outputs, now.outputs),
  };
}

function newShape(shape: ShapeAnno, { dims }: Operand, next: Operand): ShapeAnno {
  if (shape.dims.length !== dims.length) return shape;
  return {
    ...shape,
    dims: shape.dims.map((each, dim) => {
      const [from, to] = [dims[dim]?.identifiers, next.dims[dim]?.identifiers];
      if (from === undefined || to === undefined || String(from) === String(to)) return each;
      if (each.identifiers.length !== to.length) return each;
      const identifiers = each.identifiers.map((identifier, at) => ({
        ...identifier,
        name: to[at] ?? identifier.name,
      }));
      return { ...each, identifiers };
    }),
  };
}
