import type { Compiled, Reader } from "#compile";
import { readBy, restState } from "#compile";
import type { OperatorId, Tensor } from "#core/ir";
import { type DimLayout, type Part, sameBlocks } from "#core/mesh";
import { fieldOf, sameItems } from "#core/records";
import type { Document } from "#language/document";
import type { AxisLists } from "#language/document/trace";
import type { DimGesture } from "./gesture-kinds.ts";

/**
 * The state of a tensor that a gesture changes. For an input or parameter: at rest, or as a reader
 * holds it; for a result: as the text places it, or as it is made, by the gesture's `reader`.
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

/** Whether an input or parameter rests in another layout than its first reader wants. */
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

/** The axes over which a dim is split after a gesture. */
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

/** The axes that a dim gains by a gesture. */
export function addedAxes(axes: readonly string[], gesture: DimGesture): readonly string[] {
  return axesAfter(axes, gesture).filter((axis) => !axes.includes(axis));
}

/** Another dim than the gesture's that has not kept its axes, apart from those it gave up. */
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

/** The cuts of each operator in the plan. */
export function plannedCuts({ plan }: Compiled): ReadonlyMap<OperatorId, AxisLists> {
  return new Map([...plan.operators].map(([id, { strategy }]) => [id, axisLists(strategy.cuts)]));
}

/** Whether two lists have the same cuts; an index axis that one does not name is whole in it. */
export function sameLists(a: AxisLists, b: AxisLists): boolean {
  return Object.keys({ ...a, ...b }).every((name) =>
    sameItems(fieldOf(a, name) ?? [], fieldOf(b, name) ?? []),
  );
}

/** The name of a dim: that of the operator that makes or first reads it, else its number. */
export function dimName(tensor: Tensor, dim: number): string {
  return tensor.dimNames[dim] ?? String(dim);
}
