import { product } from "#core/arithmetic";
import { axisSizeOf, type MappedTensor } from "./flat-layout.ts";

/**
 * Why a tensor map does not fit its device matrix (mindspore.md §0, §1.6); `undefined` if it does.
 * It needs one entry per dim, existing axes that are used once, and evenly divisible dims.
 */
export function tensorFault(tensor: MappedTensor): string | undefined {
  const { deviceMatrix, tensorMap, shape } = tensor;
  if (deviceMatrix.some((size) => size < 1))
    return "the device matrix must have sizes of 1 or more";
  if (shape.some((size) => size < 1)) return "the shape must have sizes of 1 or more";
  if (tensorMap.length !== shape.length) {
    return `the tensor map has ${tensorMap.length} entries for ${shape.length} dims`;
  }
  const values = tensorMap.flat();
  const used = values.filter((value) => value !== -1);
  const unknown = used.find((value) => value < 0 || value >= deviceMatrix.length);
  if (unknown !== undefined) return `the device matrix has no axis ${unknown}`;
  const twice = used.find((value, at) => used.indexOf(value) !== at);
  if (twice !== undefined) return `the device axis ${twice} splits more than one dim`;
  return unevenFault(tensor);
}

function unevenFault({ deviceMatrix, tensorMap, shape }: MappedTensor): string | undefined {
  for (const [dim, size] of shape.entries()) {
    const values = [tensorMap[dim] ?? -1].flat();
    const pieces = product(values.map((value) => axisSizeOf(deviceMatrix, value)));
    if (size % pieces !== 0) return `dim ${dim} of ${size} elements cannot be cut into ${pieces}`;
  }
  return undefined;
}

/**
 * Why no redistribution exists between two tensors: both must be valid, with equal numbers of
 * elements and of devices (mindspore.md §3.1). `undefined` if one exists.
 */
export function redistributionFault(from: MappedTensor, to: MappedTensor): string | undefined {
  const fault = tensorFault(from) ?? tensorFault(to);
  if (fault !== undefined) return fault;
  const [before, after] = [product(from.shape), product(to.shape)];
  if (before !== after) return `${before} elements cannot become ${after}`;
  const [devices, others] = [product(from.deviceMatrix), product(to.deviceMatrix)];
  return devices === others ? undefined : `${devices} devices cannot become ${others}`;
}
