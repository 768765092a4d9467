import type { Example } from "#app/first-example";
import type { Compiled } from "#compile";
import type { Redistribution } from "#core/program";
import type { DimTarget } from "./view-slice.ts";

/** The edit that is worth trying first, as far as it can be made here. */
export interface Hint {
  readonly target: DimTarget;
  /** `w2`, and `w2.k`. */
  readonly tensor: string;
  readonly dim: string;
  readonly axis: string;
  /** What the edit saves. */
  readonly redistribution: Redistribution;
  /** The digit of the axis; absent where no key stands for it. */
  readonly key?: number;
}

/** So many axes have a digit. */
const mostDigits = 8;

/**
 * What an example's hint comes to in a plan: nothing where the tensor, the dim or the axis that it
 * names is not there, where that dim is cut so already, or where nothing is sent around.
 */
export function hintOf(wanted: Example["hint"], compiled: Compiled | undefined): Hint | undefined {
  if (wanted === undefined || compiled === undefined) return undefined;
  const { axis } = wanted;
  const tensor = compiled.graph.tensors.find(({ name }) => name === wanted.tensor);
  const place = compiled.mesh.mesh.axes.findIndex(({ name }) => name === axis);
  const [redistribution] = compiled.program.redistributions;
  const view = compiled.tensors.find((each) => each.tensor === tensor?.id);
  const cuts = view?.layout.dims[wanted.dim];
  if (tensor === undefined || redistribution === undefined || cuts === undefined) return undefined;
  const isDone = cuts.parts.some((part) => part.kind === "axis" && part.axis === axis);
  if (place === -1 || isDone) return undefined;
  return {
    target: { tensor: tensor.id, dim: wanted.dim },
    tensor: tensor.name,
    dim: `${tensor.name}.${tensor.dimNames[wanted.dim] ?? wanted.dim}`,
    axis,
    redistribution,
    ...(place < mostDigits && { key: place + 1 }),
  };
}
