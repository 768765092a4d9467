import type { Tensor } from "#core/ir";

/** Dim of a tensor with its shown name. */
export interface NamedDim {
  readonly dim: number;
  readonly name: string;
  readonly size: number;
}

/** Dims of a tensor in order, each with a name. */
export function namedDims(tensor: Tensor): readonly NamedDim[] {
  return tensor.shape.map((size, dim) => ({ dim, name: tensor.dimNames[dim] ?? `d${dim}`, size }));
}
