import type { Part } from "./layout.ts";
import type { DeviceMesh } from "./mesh.ts";

/**
 * The common refinement of several arrangements of the same devices, outermost first, or
 * `undefined` when there is none ([2,3] and [3,2]).
 *
 * Prefix products of all of them are merged; successive quotients must be integers. Axes of size 1
 * vanish.
 */
export function commonRefinement(
  matrices: readonly (readonly number[])[],
): readonly number[] | undefined {
  const points = new Set([1, ...matrices.flatMap(prefixProducts)]);
  const sorted = [...points].sort((a, b) => a - b);
  const quotients = sorted.slice(1).map((point, index) => point / (sorted[index] ?? 1));
  return quotients.every(Number.isInteger) ? quotients : undefined;
}

function prefixProducts(matrix: readonly number[]): readonly number[] {
  let product = 1;
  return matrix.map((size) => {
    product *= size;
    return product;
  });
}

/**
 * The parts of a mesh that one axis of another arrangement of its devices consists of, outermost
 * first, for every axis of that arrangement; `undefined` when the two have no common refinement.
 *
 * @param matrix axis sizes, outermost first, whose product is the number of devices
 */
export function partsOfMatrix(
  mesh: DeviceMesh,
  matrix: readonly number[],
): readonly (readonly Part[])[] | undefined {
  const sizes = mesh.axes.map((axis) => axis.size);
  if (commonRefinement([sizes, matrix]) === undefined) return undefined;
  const ends = prefixProducts(matrix);
  return matrix.map((size, index) => {
    const end = ends[index] ?? 1;
    return partsBetween(mesh, end / size, end);
  });
}

/** The parts of the mesh whose digits lie between two prefix products. */
function partsBetween(mesh: DeviceMesh, start: number, end: number): readonly Part[] {
  let product = 1;
  return mesh.axes.flatMap((axis): Part[] => {
    const first = product;
    product *= axis.size;
    const from = Math.max(start, first);
    const to = Math.min(end, product);
    if (to <= from) return [];
    return [{ kind: "axis", axis: axis.name, before: from / first, size: to / from }];
  });
}
