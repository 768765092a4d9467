import type { Compiled, Reader } from "#compile";
import { readBy, restState } from "#compile";
import type { OperatorId, Tensor } from "#core/ir";
import { type DimLayout, type Part, sameBlocks } from "#core/mesh";
import { fieldOf, sameItems } from "#core/records";
import type { Document } from "#language/document";
import type { AxisLists } from "#language/document/trace";
import type { DimGesture } from "./gesture-kinds.ts";

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
 * The layout that a new `place` of a tensor starts from: the text's own, else the layout of its
 * first reader. The cut that `zero=3` of a training step adds is no part of it.
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

function axisNames(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
}

/** The axes that a dim is split over once a gesture is done. */
export function axesAfter(axes: readonly string[], gesture: DimGesture): readonly string[] {
  const { kind, axis } = gesture;
  switch (kind) {
    case "split":
    case "move":
    case "scatter":
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

/** The axes of each index axis of an operator, outermost first. */
export function axisLists(cuts: Readonly<Record<string, readonly Part[]>>): AxisLists {
  return Object.fromEntries(Object.entries(cuts).map(([name, parts]) => [name, axisNames(parts)]));
}

/** How the plan cuts each operator. */
export function plannedCuts({ plan }: Compiled): ReadonlyMap<OperatorId, AxisLists> {
  return new Map([...plan.operators].map(([id, { strategy }]) => [id, axisLists(strategy.cuts)]));
}

/** Whether two cut alike; an index axis that one does not name is whole in it. */
export function sameLists(a: AxisLists, b: AxisLists): boolean {
  return Object.keys({ ...a, ...b }).every((name) =>
    sameItems(fieldOf(a, name) ?? [], fieldOf(b, name) ?? []),
  );
}

/** What a dim is called: by the operator that makes or first reads it, else by its number. */
export function dimName(tensor: Tensor, dim: number): string {
  return tensor.dimNames[dim] ?? String(dim);
}
