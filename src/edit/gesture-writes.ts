import type { Compiled } from "#compile";
import type { Operator } from "#core/ir";
import { fieldOf } from "#core/records";
import { placeWays, strategyWays } from "#language/document/edit";
import {
  addedAxes,
  axesAfter,
  dimName,
  dimsOf,
  namesIn,
  placedDims,
  plannedCuts,
} from "./gesture-axes.ts";
import { mergedEntries } from "./gesture-entries.ts";
import type { DimGesture, GestureOutcome } from "./gesture-kinds.ts";
import { wordsForOperators, wordsForPlaces } from "./gesture-own-words.ts";
import type { Work } from "./gesture-target.ts";
import { type Change, firstDone, firstWay, outcomeOf, reaches } from "./gesture-ways.ts";

/** Edits the text so that a gesture's tensors get the wanted placement. */
export function changePlace(work: Work): GestureOutcome {
  const { compiled, gesture, document, tensor } = work;
  const current = dimsOf(compiled, tensor, undefined).map(namesIn);
  const added = addedAxes(current[gesture.dim] ?? [], gesture);
  const taken = current
    .flatMap((axes, dim) => (dim === gesture.dim ? [] : axes.map((axis) => ({ axis, dim }))))
    .find(({ axis }) => added.includes(axis));
  if (taken !== undefined && !takesOver(gesture)) {
    const dim = dimName(tensor, taken.dim);
    return refused(`"${taken.axis}" already splits "${dim}" of "${tensor.name}"`);
  }
  const begun = placedDims(document, compiled, tensor).map(namesIn);
  const wanted = current.map((axes, dim) =>
    dim === gesture.dim
      ? axesAfter(axes, gesture)
      : (begun[dim] ?? []).filter((axis) => !added.includes(axis)),
  );
  const tensors = work.members.map((member) => member.tensor);
  const own = firstDone(work, wordsForPlaces(work, wanted));
  if (own !== undefined) return own;
  return firstWay(work, placeWays(document, tensors, wanted), {
    operators: new Set(),
    tensors: new Set(tensors.map(({ id }) => id)),
  });
}

/** Edits the text so that operators, counterparts for a gesture's tensors, get the wanted cuts. */
export function changeOperators(
  work: Work,
  operators: readonly Operator[],
  identifier: string,
): GestureOutcome {
  const [operator] = operators;
  if (operator === undefined) return refused("nothing makes or reads it");
  const { gesture, document, compiled } = work;
  const planned = plannedCuts(compiled);
  const cuts = planned.get(operator.id) ?? {};
  const added = addedAxes(fieldOf(cuts, identifier) ?? [], gesture);
  const holder = Object.keys(cuts).find(
    (name) => name !== identifier && fieldOf(cuts, name)?.some((axis) => added.includes(axis)),
  );
  if (holder !== undefined && !takesOver(gesture)) {
    const axis = fieldOf(cuts, holder)?.find((name) => added.includes(name));
    return refused(`"${axis}" already splits ${dimOf(compiled, operator, holder)}`);
  }
  const wanted = Object.fromEntries(
    Object.entries({ ...cuts, [identifier]: fieldOf(cuts, identifier) ?? [] }).map(
      ([name, axes]) => [
        name,
        name === identifier
          ? axesAfter(axes, gesture)
          : axes.filter((axis) => !added.includes(axis)),
      ],
    ),
  );
  const change: Change = {
    operators: new Set(operators.map(({ id }) => id)),
    tensors: new Set(),
    wanted,
  };
  const entries = mergedEntries(work, operators, planned, wanted);
  const inside = entries === undefined ? undefined : outcomeOf(work, entries);
  if (inside?.ok === true && reaches(work, inside.source, change)) return inside;
  const isShard = document.trace.operators.some(
    (traced) => document.built.operatorOf.get(traced)?.id === operator.id && traced.strategy,
  );
  if (inside?.ok === false && isShard && entries?.length !== 0) return inside;
  const own = firstDone(work, wordsForOperators(work, operators, planned, wanted));
  return own ?? firstWay(work, strategyWays(document, operators, wanted), change);
}

/** Whether other dims lose the axes that this one gets. */
export function takesOver({ kind, takesOver: isTaking }: DimGesture): boolean {
  return kind === "move" || kind === "scatter" || isTaking === true;
}

function dimOf(compiled: Compiled, operator: Operator, identifier: string): string {
  const holder = operator.inputs.find((operand) =>
    operand.dims.some(({ identifiers }) => identifiers.includes(identifier)),
  );
  const tensor = compiled.graph.tensors.find(({ id }) => id === holder?.tensor);
  return tensor === undefined ? `"${identifier}"` : `"${identifier}" of "${tensor.name}"`;
}

function refused(reason: string): GestureOutcome {
  return { ok: false, reason };
}
