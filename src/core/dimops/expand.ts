import type { DimAnno, OpAnno, ShapeAnno } from "./annotation.ts";
import { type Argument, describeArgument } from "./argument.ts";
import { type Fault, mismatch, raised } from "./fault.ts";
import { identifiersOf } from "./freeze.ts";
import { printAnnotation } from "./print.ts";

/** An annotation whose first `*` of each tensor stands for dims, or why that is impossible. */
export type Expansion =
  | { readonly kind: "expanded"; readonly annotation: OpAnno }
  | { readonly kind: "failed"; readonly fault: Fault };

const alphabet = [..."abcdefghijklmnopqrstuvwxyz"];

/**
 * Replaces the first `*` of each tensor by as many dims as its shape has left over (dimops.md §2).
 *
 * All tensors get the same letters, the first ones of the alphabet that the annotation does not
 * use; they may be none. A second `*` in one tensor stays as an identifier of that name.
 */
export function expandStars(annotation: OpAnno, inputs: readonly Argument[]): Expansion {
  if (!hasStar(annotation)) return { kind: "expanded", annotation };
  const identifiers = identifiersOf(annotation);
  const names = new Set(identifiers.map(({ name }) => name));
  const count = starLength(annotation, inputs);
  if (typeof count !== "number") return { kind: "failed", fault: count };
  const letters = alphabet.filter((letter) => !names.has(letter));
  if (count > letters.length) return { kind: "failed", fault: noLettersLeft(count) };
  const expand = (shape: ShapeAnno) => expandShape(shape, letters.slice(0, count));
  const [expandedInputs, outputs] = [annotation.inputs.map(expand), annotation.outputs.map(expand)];
  return { kind: "expanded", annotation: { inputs: expandedInputs, outputs } };
}

function hasStar({ inputs, outputs }: OpAnno): boolean {
  const isStarred = ({ dims }: ShapeAnno) =>
    dims.some(({ identifiers }) => identifiers.some(({ name }) => name === "*"));
  return inputs.some(isStarred) || outputs.some(isStarred);
}

// A tensor with too few dims counts as an expansion to none; its rank does not match later on.
function starLength(annotation: OpAnno, inputs: readonly Argument[]): number | Fault {
  let length: { readonly count: number; readonly input: number } | undefined;
  for (const [input, shape] of annotation.inputs.entries()) {
    const star = shape.dims[starIndex(shape)];
    const argument = inputs[input];
    if (star === undefined || argument === undefined) continue;
    if (argument.kind !== "tensor") return starAtPlain(inputs, input, star);
    const count = argument.shape.length - (shape.dims.length - 1);
    if (length !== undefined && length.count !== count) {
      return unequalStars(inputs, [length.input, length.count], [input, count], star);
    }
    length ??= { count: Math.max(0, count), input };
  }
  return length?.count ?? starOnlyInOutputs(annotation);
}

function starIndex(shape: ShapeAnno): number {
  return shape.dims.findIndex(({ identifiers }) => {
    return identifiers.length === 1 && identifiers[0]?.kind === "star";
  });
}

function expandShape(shape: ShapeAnno, letters: readonly string[]): ShapeAnno {
  const index = starIndex(shape);
  const star = shape.dims[index]?.identifiers[0];
  if (star === undefined) return shape;
  const letterDims = letters.map((name): DimAnno => {
    return { identifiers: [{ ...star, kind: "name", name }], span: star.span };
  });
  return { ...shape, dims: shape.dims.toSpliced(index, 1, ...letterDims) };
}

function starAtPlain(inputs: readonly Argument[], input: number, star: DimAnno): Fault {
  return mismatch({
    code: "dimops/star-needs-tensor",
    message: `"*" stands for the dims of a tensor, but ${describeArgument(inputs, input)} is none`,
    span: star.span,
  });
}

function unequalStars(
  inputs: readonly Argument[],
  first: readonly [number, number],
  second: readonly [number, number],
  star: DimAnno,
): Fault {
  const counts = [first, second].map(([input, count]) => {
    return `${count} in ${describeArgument(inputs, input)}`;
  });
  return mismatch({
    code: "dimops/unequal-stars",
    message: `"*" must stand for equally many dims, but there are ${counts.join(" and ")}`,
    span: star.span,
  });
}

function starOnlyInOutputs(annotation: OpAnno): Fault {
  const star = identifiersOf(annotation).find(({ name }) => name === "*");
  return raised("AssertionError", {
    code: "dimops/star-not-in-inputs",
    message: `"*" should also appear in inputs of "${printAnnotation(annotation)}"`,
    ...(star !== undefined && { span: star.span }),
  });
}

function noLettersLeft(count: number): Fault {
  return raised("IndexError", {
    code: "dimops/no-letters-left",
    message: `"*" stands for ${count} dims, but the alphabet has no letters left to name them`,
  });
}
