import type { Fix } from "#core/diagnostics";
import { settle } from "./size.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/** Most combinations of sizes that are tried. */
const trialLimit = 64;

/** Most fixes that are offered. */
const fixLimit = 3;

/** Largest distance from a written size at which a divisible one is searched. */
const reach = 32;

/**
 * Fixes that write a size of another operand into the shape of an input or parameter, so that the
 * call fits. Later operands, usually parameters, are tried first.
 */
export function sizeFixes(inputs: TracedOperator["inputs"], fits: Fits): readonly Fix[] {
  const shapes = shapesOf(inputs);
  const sizes = [...new Set(shapes.flat())];
  const choices = writtenSizes(inputs).flatMap((place) =>
    sizes.filter((size) => size !== place.size).map((size) => ({ ...place, wanted: size })),
  );
  const good = choices.slice(0, trialLimit).filter(({ operand, dim, wanted }) => {
    const changed = shapes.map((shape, at) => (at === operand ? shape.with(dim, wanted) : shape));
    return fits(changed);
  });
  return good.slice(0, fixLimit).map(({ wanted, ...place }) => written(place, wanted));
}

/** Nearest sizes below and above a written one with which a call divides evenly. */
export function dividingFixes(inputs: TracedOperator["inputs"], fits: Fits): readonly Fix[] {
  const shapes = shapesOf(inputs);
  const steps = Array.from({ length: reach }, (_, at) => at + 1);
  const fixes = writtenSizes(inputs).flatMap((place) => {
    const { operand, dim, size } = place;
    const isGood = (wanted: number) =>
      wanted > 0 &&
      fits(shapes.map((shape, at) => (at === operand ? shape.with(dim, wanted) : shape)));
    const near = [steps.map((step) => size - step), steps.map((step) => size + step)];
    return near.flatMap((sizes) => {
      const wanted = sizes.find(isGood);
      return wanted === undefined ? [] : [written(place, wanted)];
    });
  });
  return fixes.slice(0, fixLimit);
}

type Fits = (shapes: readonly (readonly number[])[]) => boolean;

function shapesOf(inputs: TracedOperator["inputs"]): readonly (readonly number[])[] {
  return inputs.map((input) => (input.kind === "tensor" ? shapeOf(input) : []));
}

function written({ span, size, of }: ReturnType<typeof sizesOf>[number], wanted: number): Fix {
  const title = `Write ${wanted} for ${size}${of}`;
  return { title, edits: [{ ...span, text: String(wanted) }] };
}

/** Integer literals in the shapes of operands, from the last operand to the first. */
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
