/** Dims of a tensor and of its reshape that are the same cells. */
export interface ReshapeGroup {
  readonly ins: readonly number[];
  readonly outs: readonly number[];
}

/** Dims of a reshape in shortest groups of equal products, without dims of size 1. */
export function reshapeGroups(
  from: readonly number[],
  to: readonly number[],
): readonly ReshapeGroup[] | undefined {
  const [left, right] = [longOf(from), longOf(to)];
  const groups: ReshapeGroup[] = [];
  let [i, o] = [0, 0];
  while (i < left.length || o < right.length) {
    const [ins, outs]: [number[], number[]] = [[], []];
    let [a, b] = [1, 1];
    const takeIn = () => {
      const dim = left[i++];
      if (dim !== undefined) ins.push(dim);
      a *= dim === undefined ? Number.NaN : (from[dim] ?? 1);
    };
    const takeOut = () => {
      const dim = right[o++];
      if (dim !== undefined) outs.push(dim);
      b *= dim === undefined ? Number.NaN : (to[dim] ?? 1);
    };
    takeIn();
    takeOut();
    while (a !== b) {
      if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
      if (a < b) takeIn();
      else takeOut();
    }
    groups.push({ ins, outs });
  }
  return groups;
}

function longOf(shape: readonly number[]): readonly number[] {
  return shape.flatMap((size, dim) => (size === 1 ? [] : [dim]));
}
