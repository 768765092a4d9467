import type { Compiled } from "#compile";
import { readBy, stateName } from "#compile";
import type { Operator, Tensor } from "#core/ir";
import { patternOf } from "#language/document/edit";
import type { DimGesture } from "./gesture-kinds.ts";
import {
  axesAfter,
  dimsOf,
  disturbedDim,
  namesIn,
  restsApart,
  type Work,
} from "./gesture-views.ts";

export function dimName(tensor: Tensor, dim: number): string {
  return tensor.dimNames[dim] ?? String(dim);
}

/** What a gesture does, for the log: `Split w.n over mp`, `Take dp off x.b, as y reads it`. */
export function gestureLabel(work: Work): string {
  const { compiled, gesture, tensor } = work;
  const view = compiled.tensors.find((each) => each.tensor === tensor.id);
  const read = view && readBy(view, gesture.reader);
  return view === undefined || read === undefined
    ? changeText(work)
    : `${changeText(work)}, ${stateName(view, read)}`;
}

/** `layers[*].w` of tensors that change alike. */
function nameOf({ tensor, members }: Work): string {
  return members.length === 1
    ? tensor.name
    : (patternOf(members.map((member) => member.tensor.name)) ?? tensor.name);
}

function changeText(work: Work): string {
  const { members } = work;
  return members.length === 1 ? oneText(work) : `${oneText(work)} ×${members.length}`;
}

function oneText(work: Work): string {
  const { compiled, gesture, tensor } = work;
  const dim = `${nameOf(work)}.${dimName(tensor, gesture.dim)}`;
  switch (gesture.kind) {
    case "split":
      return `Split ${dim} over ${gesture.axis}`;
    case "unsplit":
      return `Take ${gesture.axis} off ${dim}`;
    case "move":
      return `Move ${gesture.axis} to ${dim}`;
    case "set": {
      const axes = gesture.axes ?? [];
      if (axes.length === 0) return `Make ${dim} whole`;
      const now = namesIn(dimsOf(compiled, tensor, gesture.reader)[gesture.dim]);
      const isOrder = axes.length > 1 && sameSet(now, axes);
      return isOrder
        ? `Order ${dim} by ${axes.join(", ")}`
        : `Split ${dim} over ${axes.join(", ")}`;
    }
    case "whole":
    case "cycle":
      return `Make ${dim} whole`;
  }
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

/** Says so where the text would be edited and the state would not be as it was asked for. */
export function missedBy(work: Work, after: Compiled): string | undefined {
  const { compiled, gesture, tensor } = work;
  const [before, then] = [compiled, after].map((each) => dimsOf(each, tensor, gesture.reader));
  if (before === undefined || then === undefined) return undefined;
  const asked = axesAfter(namesIn(before[gesture.dim]), gesture);
  const got = namesIn(then[gesture.dim]);
  const dim = dimName(tensor, gesture.dim);
  if (asked.join() !== got.join()) {
    const how =
      got.length === 0 ? "whole" : `split over ${got.map((axis) => `"${axis}"`).join(", ")}`;
    return `${keeperOf(work)} keeps "${dim}" of "${tensor.name}" ${how}`;
  }
  const isOneOfSeveral = gesture.reader !== undefined || restsApart(compiled, tensor);
  if (tensor.producer !== undefined || !isOneOfSeveral) return undefined;
  const other = disturbedDim(before, then, gesture);
  if (other === undefined) return undefined;
  return `${keeperOf(work)} would split "${dimName(tensor, other)}" of "${tensor.name}" otherwise too`;
}

/** What has its own say in how a tensor lies. */
function keeperOf({ document, gesture, tensor }: Work): string {
  const isTrained = tensor.role === "parameter" && document.training?.zero === 3;
  return isTrained && gesture.reader === undefined
    ? "at rest zero=3 of train(…)"
    : "something else in the text";
}

/** Why a tensor that the text does not have cannot be changed. */
export function strangerText({ program }: Compiled, { tensor: id }: DimGesture): string {
  const added = program.graph.tensors.find((tensor) => tensor.id === id);
  return added === undefined
    ? `no tensor is called "${id}"`
    : `"${added.name}" comes with train(…): how it lies follows from the forward program`;
}

/** What an operator does with a tensor of which no identifier of its own cuts the dim. */
export function wholeText({ tensor, gesture }: Work, operator: Operator, does: string): string {
  const dim = dimName(tensor, gesture.dim);
  return `"${operator.name}" ${does} "${dim}" of "${tensor.name}" whole`;
}
