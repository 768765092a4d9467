import type { Fix } from "#core/diagnostics";
import { settle } from "./size.ts";
import type { TracedOperator, TracedTensor } from "./trace.ts";

/** More choices than this are not tried. */
const trialLimit = 64;

/** More fixes than this are not offered. */
const fixLimit = 3;

/**
 * Sizes that another operand of a call has too, each written where the shape of an input or
 * parameter stands, so that the call fits. Parameters come last in a call, and first here.
 */
export function sizeFixes(
  inputs: TracedOperator["inputs"],
  fits: (shapes: readonly (readonly number[])[]) => boolean,
): readonly Fix[] {
  const shapes = inputs.map((input) => (input.kind === "tensor" ? shapeOf(input) : []));
  const sizes = [...new Set(shapes.flat())];
  const choices = writtenSizes(inputs).flatMap((place) =>
    sizes.filter((size) => size !== place.size).map((size) => ({ ...place, wanted: size })),
  );
  const good = choices.slice(0, trialLimit).filter(({ operand, dim, wanted }) => {
    const changed = shapes.map((shape, at) => (at === operand ? shape.with(dim, wanted) : shape));
    return fits(changed);
  });
  return good.slice(0, fixLimit).map(({ span, size, wanted, of }) => ({
    title: `Write ${wanted} for ${size}${of}`,
    edits: [{ ...span, text: String(wanted) }],
  }));
}

/** The numbers that stand in shapes of operands, from the last operand to the first. */
function writtenSizes(inputs: TracedOperator["inputs"]) {
  return inputs
    .flatMap((input, operand) => (input.kind === "tensor" ? sizesOf(input, operand) : []))
    .toReversed();
}

function shapeOf({ shape = [] }: TracedTensor): readonly number[] {
  return shape.map(settle);
}

function sizesOf(tensor: TracedTensor, operand: number) {
  const items = tensor.shapeTree?.items ?? [];
  return shapeOf(tensor).flatMap((size, dim) => {
    const item = items[dim];
    if (item?.kind !== "literal") return [];
    const of = tensor.name === undefined ? "" : ` in the shape of "${tensor.name.text}"`;
    return [{ operand, dim, size, span: item.span, of }];
  });
}
