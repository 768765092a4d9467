import type { Compiled, Reader } from "#compile";
import { restState, stateReadBy } from "#compile";
import type { OperatorId, Tensor } from "#core/ir";
import { type DimLayout, type Part, sameBlocks } from "#core/mesh";
import { fieldOf, sameItems } from "#core/records";
import type { Document } from "#language/document";
import type { AxisLists } from "#language/document/trace";
import type { DimGesture } from "./gesture-kinds.ts";

/**
 * Dims of the state that a gesture changes. For an input or parameter: at rest, or as `reader`
 * holds it. For a result: as placed by the text, or as made.
 */
export function dimsOf(
  { tensors }: Compiled,
  tensor: Tensor,
  reader: Reader | undefined,
): readonly DimLayout[] {
  const view = tensors.find((candidate) => candidate.tensor === tensor.id);
  const layout = view && (stateReadBy(view, reader)?.layout ?? restState(view).layout);
  return layout?.dims ?? [];
}

/** Whether an input or parameter rests in another layout than its first reader's. */
export function restsApart({ plan, tensors }: Compiled, { id, shape }: Tensor): boolean {
  const view = tensors.find(({ tensor }) => tensor === id);
  const isSet = plan.placements.get(id)?.status === "set";
  return isSet || (view?.atRest !== undefined && !sameBlocks(view.atRest, view.layout, shape));
}

/**
 * Starting layout for a new `place` of a tensor: the text's own, else that of the first reader. The
 * cut that `zero=3` of a training step adds is not included.
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

/** Axes that split a dim after a gesture. */
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

/** Axes that a dim gains in a gesture. */
export function addedAxes(axes: readonly string[], gesture: DimGesture): readonly string[] {
  return axesAfter(axes, gesture).filter((axis) => !axes.includes(axis));
}

/** A dim other than the gesture's whose axes changed, apart from the axes it gave up. */
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

/** Axes of each index axis of an operator, outermost first. */
export function axisLists(cuts: Readonly<Record<string, readonly Part[]>>): AxisLists {
  return Object.fromEntries(Object.entries(cuts).map(([name, parts]) => [name, axisNames(parts)]));
}

/** Cuts of each operator in the plan. */
export function plannedCuts({ plan }: Compiled): ReadonlyMap<OperatorId, AxisLists> {
  return new Map([...plan.operators].map(([id, { strategy }]) => [id, axisLists(strategy.cuts)]));
}

/** Whether two lists have the same cuts; an index axis missing in one is whole there. */
export function sameLists(a: AxisLists, b: AxisLists): boolean {
  return Object.keys({ ...a, ...b }).every((name) =>
    sameItems(fieldOf(a, name) ?? [], fieldOf(b, name) ?? []),
  );
}

/** Name of a dim in the operator that makes or first reads the tensor, else its number. */
export function dimName(tensor: Tensor, dim: number): string {
  return tensor.dimNames[dim] ?? String(dim);
}
