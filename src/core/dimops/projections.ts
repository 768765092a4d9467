import type { AffineRow, Box, Projection } from "#core/indexspace";
import type { Bound } from "./bind.ts";
import { annotatedShape, type BoundDim, indexAxesOf, operandDims } from "./index-axes.ts";

/**
 * How each operand lies on the index axes of a bound annotation, inputs first.
 *
 * A dim of one identifier is that axis; a bracket is the sum of its axes, each times the lengths
 * behind it (`(h t)` is `T·h + t`). Numbers, and identifiers that are not in `axes`, go into the
 * extent: each index point touches all of them. An ignored tensor is touched as a whole; an operand
 * that is no tensor, or an ignored output, has no projection.
 *
 * @param axes the index axes in order; by default all of `indexAxesOf`, frozen ones included
 */
export function projectionsOf(
  bound: Bound,
  axes: readonly string[] = indexAxesOf(bound).map(({ name }) => name),
): readonly (Projection | undefined)[] {
  const count = bound.annotation.inputs.length + bound.annotation.outputs.length;
  return Array.from({ length: count }, (_, operand) => projectionOf(bound, operand, axes));
}

/** The box of all points of the index axes: from 0 to the size of each. */
export function indexBoxOf(bound: Bound, axes?: readonly string[]): Box {
  const names = axes ?? indexAxesOf(bound).map(({ name }) => name);
  return names.map((name) => ({ start: 0, stop: bound.sizes.get(name) ?? 0 }));
}

function projectionOf(
  bound: Bound,
  operand: number,
  axes: readonly string[],
): Projection | undefined {
  const input = bound.inputs[operand];
  if (input?.kind === "plain") return undefined;
  if (annotatedShape(bound, operand)?.ignored !== true) {
    return operandDims(bound, operand).map((dim) => rowOf(dim, axes));
  }
  return input?.shape.map((extent) => ({ coefficients: axes.map(() => 0), offset: 0, extent }));
}

function rowOf({ identifiers, sizes }: BoundDim, axes: readonly string[]): AffineRow {
  const coefficients = axes.map(() => 0);
  let extent = 1;
  let stride = 1;
  for (let at = identifiers.length - 1; at >= 0; at--) {
    const axis = axes.indexOf(identifiers[at] ?? "");
    const size = sizes[at] ?? 1;
    if (axis >= 0) coefficients[axis] = (coefficients[axis] ?? 0) + stride;
    else extent += (size - 1) * stride;
    stride *= size;
  }
  return { coefficients, offset: 0, extent };
}
