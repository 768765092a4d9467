// Strides of dense tensors.

/** Row-major strides: by dim, the distance in elements between neighbours. */
export function contiguousStrides(shape: readonly number[]): readonly number[] {
  return denseStrides(
    shape,
    shape.map((_, dim) => dim),
  );
}

/** Strides without gaps, in which the dims follow each other in an order, most major first. */
export function denseStrides(
  shape: readonly number[],
  order: readonly number[],
): readonly number[] {
  const strides = shape.map(() => 1);
  let step = 1;
  for (const dim of order.toReversed()) {
    strides[dim] = step;
    step *= Math.max(1, shape[dim] ?? 1);
  }
  return strides;
}

/** Whether elements lie row-major and without gaps; dims of size 1 may have any stride. */
export function isContiguous(shape: readonly number[], strides: readonly number[]): boolean {
  const wanted = contiguousStrides(shape);
  return shape.some((size) => size === 0) || shape.every(isAsWanted);
  function isAsWanted(size: number, dim: number): boolean {
    return size === 1 || strides[dim] === wanted[dim];
  }
}

/** The dims of a tensor from the most major to the most minor. */
export function dimOrder(strides: readonly number[]): readonly number[] {
  return strides
    .map((_, dim) => dim)
    .sort((a, b) => (strides[b] ?? 0) - (strides[a] ?? 0) || a - b);
}

/**
 * Strides under which the same memory holds the same elements in another shape; `undefined` if they
 * must be copied. Runs of dims without gaps are merged from the last dim on, and dims of the new
 * shape must fill each run.
 */
export function viewStrides(
  shape: readonly number[],
  strides: readonly number[],
  wanted: readonly number[],
): readonly number[] | undefined {
  if (shape.some((size) => size === 0)) return contiguousStrides(wanted);
  const result = wanted.map(() => 1);
  let at = wanted.length - 1;
  for (const { size, step } of runsOf(shape, strides)) {
    let filled = 1;
    while (at >= 0 && (filled < size || wanted[at] === 1)) {
      result[at] = filled * step;
      filled *= wanted[at] ?? 1;
      at -= 1;
    }
    if (filled !== size) return undefined;
  }
  return at >= 0 && wanted.slice(0, at + 1).some((size) => size !== 1) ? undefined : result;
}

/** The runs of dims without gaps between them, from the last on: their sizes, and their strides. */
function runsOf(shape: readonly number[], strides: readonly number[]) {
  const runs: { size: number; readonly step: number }[] = [];
  for (let dim = shape.length - 1; dim >= 0; dim -= 1) {
    const [size = 1, step = 1] = [shape[dim], strides[dim]];
    if (size === 1) continue;
    const run = runs.at(-1);
    if (run !== undefined && step === run.size * run.step) run.size *= size;
    else runs.push({ size, step });
  }
  return runs;
}
