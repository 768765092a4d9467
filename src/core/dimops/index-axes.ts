import type { DimAnno, Identifier, OpAnno, Reduction, ShapeAnno } from "./annotation.ts";
import type { Bound } from "./bind.ts";
import { identifiersOf } from "./parse.ts";

/** One index axis of an operator: an identifier with its size. */
export interface BoundAxis {
  readonly name: string;
  readonly size: number;
  readonly reduction: Reduction;
}

/**
 * Dim of an operand as a projection of index axes: its identifiers, most major first, with their
 * sizes. `splittable` is the identifier that cuts of this dim split; absent if it is frozen.
 */
export interface BoundDim {
  readonly identifiers: readonly string[];
  readonly sizes: readonly number[];
  readonly splittable?: string;
}

/** An operator as an index space: its axes, and the projection of each operand onto them. */
export interface IndexSpace {
  readonly axes: readonly BoundAxis[];
  readonly inputs: readonly (readonly BoundDim[])[];
  readonly outputs: readonly (readonly BoundDim[])[];
}

/**
 * Index space of a bound annotation.
 *
 * Axes are in order of first appearance, inputs first. Numbers and `?` are no axes. Operands that
 * are ignored or no tensors have no dims. @internal
 */
export function axesOf(bound: Bound): IndexSpace {
  return {
    axes: indexAxesOf(bound),
    inputs: bound.annotation.inputs.map((_, input) => operandDims(bound, input)),
    outputs: bound.annotation.outputs.map((_, output) => {
      return operandDims(bound, bound.inputs.length + output);
    }),
  };
}

/**
 * The index axes of a bound annotation in order of first appearance.
 *
 * @param identifiers those of the annotation (`axisIdentifiers`), where they are known already
 */
export function indexAxesOf(
  { annotation, sizes }: Bound,
  identifiers: readonly Identifier[] = axisIdentifiers(annotation),
): readonly BoundAxis[] {
  return identifiers.map(({ name, reduction }) => {
    return { name, size: sizes.get(name) ?? 0, reduction };
  });
}

/** The identifiers of an annotation that are index axes, in order of first appearance. */
export function axisIdentifiers(annotation: OpAnno): readonly Identifier[] {
  const axes = new Map<string, Identifier>();
  for (const identifier of identifiersOf(annotation)) {
    if (isAxis(identifier) && !axes.has(identifier.name)) axes.set(identifier.name, identifier);
  }
  return [...axes.values()];
}

/** The dims of one operand, by its position: inputs first, then outputs. */
export function operandDims(bound: Bound, operand: number): readonly BoundDim[] {
  const shape = annotatedShape(bound, operand);
  const isTensor = operand >= bound.inputs.length || bound.inputs[operand]?.kind === "tensor";
  if (shape === undefined || shape.ignored || !isTensor) return [];
  return shape.dims.map((dim): BoundDim => {
    const leading = leadingIdentifier(dim, bound.sizes, 2);
    const isFree = leading !== undefined && leading.reduction !== "^";
    return {
      identifiers: dim.identifiers.map(({ name }) => name),
      sizes: dim.identifiers.map(({ name }) => bound.sizes.get(name) ?? 0),
      ...(isFree && { splittable: leading.name }),
    };
  });
}

/** The annotation of one operand; positions count on from the inputs into the outputs. */
export function annotatedShape(bound: Bound, operand: number): ShapeAnno | undefined {
  const { inputs, outputs } = bound.annotation;
  return operand < inputs.length ? inputs[operand] : outputs[operand - inputs.length];
}

/**
 * The identifier that a cut of a dim into `count` pieces cuts: the first whose length is not 1,
 * the last when all are 1; for one piece simply the first (dimops.md §3).
 */
export function leadingIdentifier(
  dim: DimAnno,
  sizes: ReadonlyMap<string, number>,
  count: number,
): Identifier | undefined {
  if (count === 1) return dim.identifiers[0];
  return dim.identifiers.find(({ name }) => sizes.get(name) !== 1) ?? dim.identifiers.at(-1);
}

function isAxis({ kind }: Identifier): boolean {
  return kind === "name" || kind === "star";
}
