import type { Tensor } from "#core/ir";

/** A dim of a tensor as it is shown. */
export interface NamedDim {
  readonly dim: number;
  readonly name: string;
  readonly size: number;
}

/** The dims of a tensor in order, each with a name. */
export function namedDims(tensor: Tensor): readonly NamedDim[] {
  return tensor.shape.map((size, dim) => ({ dim, name: tensor.dimNames[dim] ?? `d${dim}`, size }));
}
