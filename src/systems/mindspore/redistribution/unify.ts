import { product } from "#core/arithmetic";
import { commonRefinement } from "#core/mesh";
import { sameItems } from "#core/records";
import { axisSizeOf, type FlatLayout } from "./flat-layout.ts";

/** Two layouts of one tensor, rewritten for one device matrix and one shape. */
export interface UnifiedPair {
  readonly from: FlatLayout;
  readonly to: FlatLayout;
}

/**
 * The two layouts on a common device matrix and tensor shape (mindspore.md §3.2, §3.3); `undefined`
 * if they are not expandable.
 */
export function unify(from: FlatLayout, to: FlatLayout): UnifiedPair | undefined {
  if (product(from.deviceMatrix) !== product(to.deviceMatrix)) return undefined;
  const common = commonRefinement([from.deviceMatrix, to.deviceMatrix]);
  if (common === undefined) return undefined;
  const pair = { from: onMatrix(from, common), to: onMatrix(to, common) };
  return expandedShape(pair.from.shape, pair.to.shape) === undefined
    ? undefined
    : unifyShapes(pair);
}

/** Refines one side after the other until the shapes are equal; `undefined` if they cannot be. */
function unifyShapes(start: UnifiedPair): UnifiedPair | undefined {
  let pair: UnifiedPair = start;
  while (!sameItems(pair.from.shape, pair.to.shape)) {
    const wanted = expandedShape(pair.from.shape, pair.to.shape);
    if (wanted === undefined) return undefined;
    const side = sameItems(wanted, pair.from.shape) ? "to" : "from";
    const refined = refine(pair[side], wanted);
    if (refined === undefined) return undefined;
    const other = side === "from" ? "to" : "from";
    const followed = onMatrix(pair[other], refined.deviceMatrix);
    pair = side === "from" ? { from: refined, to: followed } : { from: followed, to: refined };
  }
  return pair;
}

/**
 * The layout on a finer device matrix: a dim whose axis is split into k axes becomes k dims, the
 * first k-1 with the sizes of their axes (mindspore.md §3.2).
 */
function onMatrix(layout: FlatLayout, finer: readonly number[]): FlatLayout {
  const groups = groupsUnder(layout.deviceMatrix, finer) ?? layout.deviceMatrix.map((n) => [n]);
  const dims = layout.shape.flatMap((size, dim) => {
    const value = layout.tensorMap[dim] ?? -1;
    const axis = layout.deviceMatrix.length - 1 - value;
    const factors = value < 0 ? [1] : (groups[axis] ?? [1]);
    const first = groups.slice(0, axis).flat().length;
    const rest = size / product(factors.slice(0, -1));
    return factors.map((factor, at) => ({
      size: at < factors.length - 1 ? factor : rest,
      value: value < 0 ? -1 : finer.length - 1 - first - at,
    }));
  });
  return {
    deviceMatrix: finer,
    tensorMap: dims.map(({ value }) => value),
    shape: dims.map(({ size }) => size),
  };
}

/** The finer sizes that make up each coarse one; `undefined` if they do not. */
function groupsUnder(
  coarse: readonly number[],
  fine: readonly number[],
): readonly (readonly number[])[] | undefined {
  const groups: number[][] = [];
  let at = 0;
  for (const size of coarse) {
    const group: number[] = [];
    while (product(group) < size && at < fine.length) {
      group.push(fine[at] ?? 1);
      at += 1;
    }
    if (product(group) !== size) return undefined;
    groups.push(group);
  }
  return at === fine.length ? groups : undefined;
}

/**
 * A shape refined by another one with as many elements: the suffix products of both, merged.
 * `undefined` when a quotient is no integer. [2,8,32] by [16,4,8] is [2,8,4,8].
 *
 * @internal
 */
export function expandedShape(
  shape: readonly number[],
  by: readonly number[],
): readonly number[] | undefined {
  const points = new Set([1, ...suffixProducts(shape), ...suffixProducts(by)]);
  const sorted = [...points].sort((a, b) => a - b);
  const sizes = sorted.slice(1).map((point, at) => point / (sorted[at] ?? 1));
  return sizes.every(Number.isInteger) ? sizes.reverse() : undefined;
}

function suffixProducts(shape: readonly number[]): readonly number[] {
  return shape.map((_, dim) => product(shape.slice(dim)));
}

/**
 * The layout on a finer tensor shape; device axes that span several new dims are split first.
 * `undefined` if uneven.
 */
function refine(layout: FlatLayout, shape: readonly number[]): FlatLayout | undefined {
  const groups = groupsUnder(layout.shape, shape);
  if (groups === undefined) return undefined;
  const matrix = layout.deviceMatrix.flatMap((size, axis) => {
    const dim = layout.tensorMap.indexOf(layout.deviceMatrix.length - 1 - axis);
    return (dim < 0 ? undefined : leadingFactors(size, groups[dim] ?? [])) ?? [size];
  });
  const cut = onMatrix(layout, matrix);
  const under = groupsUnder(cut.shape, shape);
  if (under === undefined) return undefined;
  const tensorMap = under.flatMap((group, dim) =>
    group.map((_, at) => (at === 0 ? (cut.tensorMap[dim] ?? -1) : -1)),
  );
  const isEven = shape.every((size, dim) => size % axisSizeOf(matrix, tensorMap[dim] ?? -1) === 0);
  return isEven ? { deviceMatrix: matrix, tensorMap, shape } : undefined;
}

/**
 * Leading sizes whose product is the axis size; the last one may be a part: 8 over [4,128] is
 * [4,2].
 */
function leadingFactors(size: number, group: readonly number[]): readonly number[] | undefined {
  const factors: number[] = [];
  let rest = size;
  for (const factor of group) {
    if (rest <= factor) return [...factors, rest];
    if (rest % factor !== 0) return undefined;
    factors.push(factor);
    rest /= factor;
  }
  return undefined;
}
