import { boundOf, shapeOf, type TracedOperator, type TracedTensor } from "#language/document/trace";

/** Shapes before they met others: what divides each length, by which MindSpore chooses pieces. */
const dividing = new WeakMap<TracedTensor, readonly number[]>();

/** A shape with what divides the lengths that are known at run time only. */
export function dividingShape(tensor: TracedTensor): readonly number[] {
  return dividing.get(tensor) ?? shapeOf(tensor);
}

/**
 * Sets assumed sizes of dynamic dims from the other operands of an elementwise operator: an assumed
 * size that divides the longest size of its column (dims aligned at the end) becomes that size, in
 * all tensors that have it from the same dim of what is fed.
 *
 * @param before the operators of the program so far
 * @param isWhole whether the operator stretches no dim of size 1
 */
export function meetLengths(
  operands: readonly TracedTensor[],
  before: readonly TracedOperator[],
  isWhole: boolean,
): void {
  const rank = Math.max(0, ...operands.map(({ shape }) => shape?.length ?? 0));
  for (let column = 1; column <= rank; column++) {
    const sizes = operands.map(({ shape }) => shape?.at(-column));
    const longest = Math.max(1, ...sizes.filter((size) => typeof size === "number"));
    for (const [at, operand] of operands.entries()) {
      const size = sizes[at];
      if (typeof size !== "number" || size === longest || longest % size !== 0) continue;
      if (size === 1 && !isWhole) continue;
      meetLength(operand, -column, longest, before);
    }
  }
}

/** Sets an assumed size of dim 1 of what a bias is added to from the bias. */
export function meetBias(
  [tensor, bias]: readonly (TracedTensor | undefined)[],
  before: readonly TracedOperator[],
): void {
  const size = bias === undefined ? undefined : shapeOf(bias)[0];
  if (tensor?.shape?.[1] === undefined || size === undefined) return;
  if (shapeOf(tensor)[1] !== size) meetLength(tensor, 1, size, before);
}

/**
 * Sets an assumed size of a dynamic dim to a length that it divides, in all tensors that have it
 * from the same dim of what is fed. Returns whether that is so.
 *
 * @param before the operators of the program so far
 */
export function meetLength(
  tensor: TracedTensor,
  dim: number,
  length: number,
  before: readonly TracedOperator[],
): boolean {
  const shape = shapeOf(tensor);
  const at = dim < 0 ? dim + shape.length : dim;
  const size = shape[at] ?? 0;
  if (length % size !== 0) return false;
  const places = sameLengths({ tensor, dim: at }, size, before) ?? [];
  for (const each of places) {
    dividing.set(each.tensor, dividingShape(each.tensor));
    each.tensor.shape = shapeOf(each.tensor).with(each.dim, length);
  }
  return places.length > 0;
}

interface Place {
  readonly tensor: TracedTensor;
  readonly dim: number;
}

/**
 * The dims whose length is that of one dim, with itself; `undefined` if one of them is fed with a
 * known length, or another length follows from it otherwise than by being equal.
 */
function sameLengths(
  start: Place,
  size: number,
  operators: readonly TracedOperator[],
): readonly Place[] | undefined {
  const found = [start];
  for (const { tensor, dim } of found) {
    const { producer, dynamicDims, shape } = tensor;
    if (shape?.[dim] !== size) return undefined;
    if (producer === undefined && dynamicDims?.includes(dim) !== true) return undefined;
    for (const operator of operators) {
      if (operator !== producer && !operator.inputs.includes(tensor)) continue;
      const alike = alikeIn(operator, { tensor, dim });
      if (alike === undefined) return undefined;
      for (const each of alike)
        if (!found.some((one) => one.tensor === each.tensor && one.dim === each.dim))
          found.push(each);
    }
  }
  return found;
}

/** The dims of an operator with the identifier of this one; `undefined` if that is not all. */
function alikeIn(traced: TracedOperator, { tensor, dim }: Place): readonly Place[] | undefined {
  const bound = boundOf(traced);
  if (bound === undefined) return undefined;
  const { inputs, outputs } = bound.annotation;
  const sides = [
    ...traced.inputs.map((each, at) => ({ each, dims: inputs[at]?.dims ?? [] })),
    ...traced.outputs.map((each, at) => ({ each, dims: outputs[at]?.dims ?? [] })),
  ];
  const names = sides.flatMap(({ each, dims }) =>
    each === tensor ? (dims[dim]?.identifiers ?? []) : [],
  );
  const [own] = names;
  if (own?.kind !== "name" || names.some(({ name }) => name !== own.name)) return undefined;
  if (traced.integers?.[own.name] !== undefined) return undefined;
  const places: Place[] = [];
  for (const { each, dims } of sides) {
    for (const [at, { identifiers }] of dims.entries()) {
      if (!identifiers.some(({ name }) => name === own.name)) continue;
      if (each.kind === "plain" || identifiers.length !== 1) return undefined;
      places.push({ tensor: each as TracedTensor, dim: at });
    }
  }
  return places;
}
