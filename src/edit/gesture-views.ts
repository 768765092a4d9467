import type { Compiled, Reader } from "#compile";
import { readBy, restState } from "#compile";
import { type Tensor, type TensorId, tensorsById } from "#core/ir";
import { type DimLayout, type Part, sameBlocks } from "#core/mesh";
import type { Document } from "#language/document";
import type { DimGesture } from "./gesture-kinds.ts";
import type { Version } from "./version.ts";

/** A gesture on a dim, with the version of the text that it is made on. */
export interface Work extends Version {
  readonly gesture: DimGesture;
  readonly tensor: Tensor;
  /** The tensor and those that change alike. */
  readonly members: readonly Member[];
}

/** One of the tensors that a gesture changes alike, and who holds it so. */
export interface Member {
  readonly tensor: Tensor;
  readonly reader: Reader | undefined;
}

/** The tensors that a gesture means, itself first; `undefined` where one is not in the program. */
export function membersOf(
  { graph }: Compiled,
  { tensor, reader, alike = [] }: DimGesture,
): readonly [Member, ...Member[]] | undefined {
  const known = tensorsById(graph);
  const of = (id: TensorId, by: Reader | undefined) => {
    const found = known.get(id);
    return found && { tensor: found, reader: by };
  };
  const own = of(tensor, reader);
  const others = alike.map((each) => of(each.tensor, each.reader));
  const found = others.filter((each) => each !== undefined);
  return own === undefined || found.length < others.length ? undefined : [own, ...found];
}

/** The same gesture on one of its tensors alone. */
export function workOn(work: Work, { tensor, reader }: Member): Work {
  const { alike: _alike, reader: _reader, ...gesture } = work.gesture;
  const own = { ...gesture, tensor: tensor.id, ...(reader !== undefined && { reader }) };
  return { ...work, tensor, gesture: own, members: [{ tensor, reader }] };
}

/**
 * The state of a tensor that a gesture means: of an input or parameter what lies at rest, or what a
 * reader holds; of a result where the text places it or how it is made, as the reader says.
 */
export function dimsOf(
  { tensors }: Compiled,
  tensor: Tensor,
  reader: Reader | undefined,
): readonly DimLayout[] {
  const view = tensors.find((candidate) => candidate.tensor === tensor.id);
  const layout = view && (readBy(view, reader)?.layout ?? restState(view).layout);
  return layout?.dims ?? [];
}

/** Whether an input or parameter rests otherwise than its first reader wants it. */
export function restsApart({ plan, tensors }: Compiled, { id, shape }: Tensor): boolean {
  const view = tensors.find(({ tensor }) => tensor === id);
  const isSet = plan.placements.get(id)?.status === "set";
  return isSet || (view?.atRest !== undefined && !sameBlocks(view.atRest, view.layout, shape));
}

/**
 * What a `place` of a tensor begins with: the text's own, else what its first reader makes of it.
 * What `zero=3` of a training step adds is not part of it.
 */
export function placedDims(
  document: Document,
  compiled: Compiled,
  tensor: Tensor,
): readonly DimLayout[] {
  const written = document.requests.placements.get(tensor.id)?.layout.dims;
  if (written !== undefined) return written;
  if (tensor.producer !== undefined) return dimsOf(compiled, tensor, undefined);
  return compiled.tensors.find((view) => view.tensor === tensor.id)?.layout.dims ?? [];
}

/** The axes of a dim's parts, outermost first. */
export function namesIn(dim: DimLayout | undefined): readonly string[] {
  return axisNames(dim?.parts ?? []);
}

export function axisNames(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
}

/** The axes that a dim is split over once a gesture is done. */
export function axesAfter(axes: readonly string[], gesture: DimGesture): readonly string[] {
  const { kind, axis } = gesture;
  switch (kind) {
    case "split":
    case "move":
      return axis === undefined ? axes : [...axes, axis];
    case "unsplit":
      return axes.filter((name) => name !== axis);
    case "set":
      return gesture.axes ?? [];
    case "whole":
    case "cycle":
      return [];
  }
}

/** The axes that a dim gets and does not have. */
export function addedAxes(axes: readonly string[], gesture: DimGesture): readonly string[] {
  return axesAfter(axes, gesture).filter((axis) => !axes.includes(axis));
}

/** The dim, other than that of the gesture, that is not what it was less the axes given up. */
export function disturbedDim(
  before: readonly DimLayout[],
  after: readonly DimLayout[],
  gesture: DimGesture,
): number | undefined {
  const added = addedAxes(namesIn(before[gesture.dim]), gesture);
  const dim = before.findIndex(({ parts }, at) => {
    if (at === gesture.dim) return false;
    const left = parts.filter((part) => part.kind !== "axis" || !added.includes(part.axis));
    return JSON.stringify(left) !== JSON.stringify(after[at]?.parts ?? []);
  });
  return dim < 0 ? undefined : dim;
}
