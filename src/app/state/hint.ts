import type { Example } from "#app/first-example";
import type { Compiled } from "#compile";
import type { Redistribution } from "#core/program";
import type { DimTarget } from "./view-slice.ts";

/** The edit that an example suggests to try first. */
export interface Hint {
  readonly target: DimTarget;
  /** Tensor name, such as `w2`; `dim` is `w2.k`. */
  readonly tensor: string;
  readonly dim: string;
  readonly axis: string;
  /** The redistribution that the edit saves. */
  readonly redistribution: Redistribution;
  /** The digit key that arms the axis; absent beyond the eighth axis. */
  readonly key?: number;
}

/** Number of axes that have a digit key. */
const mostDigits = 8;

/**
 * An example's hint in the present plan; `undefined` if its tensor, dim or axis is missing, if the
 * axis already shards the dim, or if the plan has no redistribution.
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
