import type { DimAnno, Identifier, OpAnno, ShapeAnno } from "./annotation.ts";

/**
 * The canonical text of an annotation: single spaces, reductions as they count after freezing.
 *
 * It reads back to the same annotation, except that a side of one tensor without dims prints as
 * a side without tensors (as upstream prints it).
 */
export function printAnnotation(anno: OpAnno): string {
  return `${anno.inputs.map(printShape).join(", ")} -> ${anno.outputs.map(printShape).join(", ")}`;
}

/** The canonical text of one annotated tensor; empty when it has no dims. */
export function printShape(shape: ShapeAnno): string {
  return shape.dims.map(printDim).join(" ");
}

/** The canonical text of one annotated dim: an identifier, or several in a bracket. */
export function printDim(dim: DimAnno): string {
  const inner = dim.identifiers.map(printIdentifier).join(" ");
  return dim.identifiers.length === 1 ? inner : `(${inner})`;
}

/** An identifier with its reduction. */
function printIdentifier(identifier: Identifier): string {
  return identifier.name + identifier.reduction;
}
