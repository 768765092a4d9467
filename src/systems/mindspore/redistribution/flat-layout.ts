import { product } from "#core/arithmetic";
import type { MapEntry } from "../layout.ts";

/** A tensor with its map on a device matrix; an entry of the map may name several axes. */
export interface MappedTensor {
  readonly deviceMatrix: readonly number[];
  readonly tensorMap: readonly MapEntry[];
  readonly shape: readonly number[];
}

/** A tensor with at most one device axis per dim, the form that redistribution needs. */
export interface FlatLayout {
  readonly deviceMatrix: readonly number[];
  readonly tensorMap: readonly number[];
  readonly shape: readonly number[];
}

/** Size of the device axis that a map value names, counted from the right; 1 for -1. */
export function axisSizeOf(deviceMatrix: readonly number[], value: number): number {
  return value < 0 ? 1 : (deviceMatrix[deviceMatrix.length - 1 - value] ?? 1);
}

/** The local shape of a tensor by its configured layout (its base slice shape). */
export function baseSliceShape({ deviceMatrix, tensorMap, shape }: MappedTensor): number[] {
  return shape.map((size, dim) => {
    const values = [tensorMap[dim] ?? -1].flat();
    return size / product(values.map((value) => axisSizeOf(deviceMatrix, value)));
  });
}

/**
 * Splits each dim with k axes into k dims: the first k-1 have the sizes of their axes, the last
 * keeps the rest (mindspore.md §1.3). "None" inside a tuple is dropped.
 */
export function flattened({ deviceMatrix, tensorMap, shape }: MappedTensor): FlatLayout {
  const dims = shape.flatMap((size, dim) => {
    const values = [tensorMap[dim] ?? -1].flat().filter((value) => value >= 0);
    const leading = values.slice(0, -1).map((value) => {
      return { value, size: axisSizeOf(deviceMatrix, value) };
    });
    const rest = size / product(leading.map((each) => each.size));
    return [...leading, { value: values.at(-1) ?? -1, size: rest }];
  });
  return {
    deviceMatrix,
    tensorMap: dims.map(({ value }) => value),
    shape: dims.map(({ size }) => size),
  };
}

/** A layout without device axes of size 1; dims that they split get -1 (mindspore.md §1.6). */
export function normalized({ deviceMatrix, tensorMap, shape }: FlatLayout): FlatLayout {
  const last = deviceMatrix.length - 1;
  const renamed = (value: number) => {
    if (axisSizeOf(deviceMatrix, value) === 1) return -1;
    return deviceMatrix.slice(last - value + 1).filter((size) => size > 1).length;
  };
  return {
    deviceMatrix: deviceMatrix.filter((size) => size > 1),
    tensorMap: tensorMap.map(renamed),
    shape,
  };
}

/** A layout without dims of size 1; a tensor of one element keeps one dim (mindspore.md §3.1). */
export function squeezed({ deviceMatrix, tensorMap, shape }: FlatLayout): FlatLayout {
  const kept = shape.flatMap((size, dim) => (size > 1 ? [dim] : []));
  if (kept.length === 0) return { deviceMatrix, tensorMap: [-1], shape: [1] };
  return {
    deviceMatrix,
    tensorMap: kept.map((dim) => tensorMap[dim] ?? -1),
    shape: kept.map((dim) => shape[dim] ?? 1),
  };
}
