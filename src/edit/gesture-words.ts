import { stateName, stateReadBy } from "#compile";
import { patternOf } from "#language/document/edit";
import type { Work } from "./gesture-target.ts";

/** Effect of a gesture for the log: `Split w.n over mp`, `Take dp off x.b, as y reads it`. */
export function gestureLabel(work: Work): string {
  const { compiled, gesture, tensor } = work;
  const view = compiled.tensors.find((each) => each.tensor === tensor.id);
  const read = view && stateReadBy(view, gesture.reader);
  return view === undefined || read === undefined
    ? changeText(work)
    : `${changeText(work)}, ${stateName(view, read)}`;
}

/** Common name of tensors that change alike: `layers[*].w`. */
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
  const { gesture, now } = work;
  const dim = `${nameOf(work)}.${work.dimName}`;
  switch (gesture.kind) {
    case "split":
      return `Split ${dim} over ${gesture.axis}`;
    case "unsplit":
      return `Take ${gesture.axis} off ${dim}`;
    case "move":
      return `Move ${gesture.axis} to ${dim}`;
    case "scatter":
      return `Add the parts over ${gesture.axis} into blocks of ${dim}`;
    case "set": {
      const axes = gesture.axes ?? [];
      if (axes.length === 0) return `Make ${dim} whole`;
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
