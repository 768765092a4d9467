import type { Compiled } from "#compile";
import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import type { Part } from "#core/mesh";
import { fieldOf } from "#core/records";
import { mergedEdits, placeWays, strategyWays } from "#language/document/edit";
import type { AxisLists } from "#language/document/trace";
import { entryEdits } from "./gesture-entries.ts";
import type { DimGesture, GestureOutcome } from "./gesture-kinds.ts";
import { wordsForOperators, wordsForPlaces } from "./gesture-own-words.ts";
import {
  addedAxes,
  axesAfter,
  axisNames,
  dimsOf,
  namesIn,
  placedDims,
  type Work,
  workOn,
} from "./gesture-views.ts";
import { dimName, gestureLabel, missedBy } from "./gesture-words.ts";

/** The text after which the tensors of a gesture are placed as it says. */
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

/** The text after which operators, the same of each tensor of a gesture, are cut as it says. */
export function changeOperators(
  work: Work,
  operators: readonly Operator[],
  identifier: string,
): GestureOutcome {
  const [operator] = operators;
  if (operator === undefined) return refused("nothing makes or reads it");
  const cuts = strategyNames(work.compiled, operator);
  const { gesture, document, compiled } = work;
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
  const entries = mergedEntries(work, operators, wanted);
  const inside = entries === undefined ? undefined : outcome(work, entries);
  if (inside?.ok === true && reaches(work, inside.source, change)) return inside;
  const isShard = document.trace.operators.some(
    (traced) => document.built.operatorOf.get(traced)?.id === operator.id && traced.strategy,
  );
  if (inside?.ok === false && isShard && entries?.length !== 0) return inside;
  const own = firstDone(work, wordsForOperators(work, operators, wanted));
  return own ?? firstWay(work, strategyWays(document, operators, wanted), change);
}

/** The first way that leads to no fault. */
function firstDone(work: Work, ways: readonly (readonly TextEdit[])[]): GestureOutcome | undefined {
  return ways.map((edits) => outcome(work, edits)).find(({ ok }) => ok);
}

/**
 * The edits that give operators the wanted cuts in a system's own entries, joined where one entry
 * covers several operators; undefined where an operator has no entry.
 */
function mergedEntries(
  { document, compiled }: Work,
  operators: readonly Operator[],
  wanted: AxisLists,
): readonly TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  for (const operator of operators) {
    const cuts = strategyNames(compiled, operator);
    const own = entryEdits(document, compiled.mesh.mesh, operator, cuts, wanted);
    if (own === undefined) return undefined;
    edits.push(...own);
  }
  return mergedEdits(edits);
}

/** What a gesture changes: nothing else may. */
interface Change {
  readonly operators: ReadonlySet<OperatorId>;
  readonly tensors: ReadonlySet<TensorId>;
  /** How the operators are cut then. */
  readonly wanted?: AxisLists;
}

/**
 * The first way that changes what a gesture means and nothing else; where a system's own words
 * answer to the change, so that none does, the first that can be done.
 */
function firstWay(
  work: Work,
  ways: readonly (readonly TextEdit[])[],
  change: Change,
): GestureOutcome {
  let [possible, refusal]: (GestureOutcome | undefined)[] = [];
  for (const edits of ways) {
    const done = outcome(work, edits);
    if (!done.ok) {
      refusal ??= done;
      continue;
    }
    if (reaches(work, done.source, change)) return done;
    possible ??= done;
  }
  return possible ?? refusal ?? refused("no edit of the text says it");
}

/** Whether a text splits the operators as wanted and leaves all others as they were. */
function reaches({ document, reread }: Work, source: string, change: Change): boolean {
  const { operators, placements } = document.requests;
  const after = reread(source).document.requests;
  const { wanted } = change;
  const isDone =
    wanted === undefined ||
    [...change.operators].every((id) => {
      const changed = after.operators.get(id)?.strategy;
      return changed !== undefined && sameLists(namesOf(changed.cuts), wanted);
    });
  return (
    isDone &&
    sameElsewhere(operators, after.operators, change.operators, ({ strategy }) => strategy) &&
    sameElsewhere(placements, after.placements, change.tensors, ({ layout }) => layout)
  );
}

/** Whether all that a text asks is the same as before, but for what is changed. */
function sameElsewhere<Id, Asked>(
  before: ReadonlyMap<Id, Asked>,
  after: ReadonlyMap<Id, Asked>,
  changed: ReadonlySet<Id>,
  said: (asked: Asked) => unknown,
): boolean {
  const isSame = (id: Id) => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was === undefined || is === undefined) return was === is;
    return JSON.stringify(said(was)) === JSON.stringify(said(is));
  };
  return [...before.keys(), ...after.keys()].every((id) => changed.has(id) || isSame(id));
}

function namesOf(cuts: Readonly<Record<string, readonly Part[]>>): AxisLists {
  return Object.fromEntries(Object.entries(cuts).map(([name, parts]) => [name, axisNames(parts)]));
}

function sameLists(a: AxisLists, b: AxisLists): boolean {
  return Object.keys({ ...a, ...b }).every((name) => {
    const [x, y] = [fieldOf(a, name) ?? [], fieldOf(b, name) ?? []];
    return x.length === y.length && x.every((axis, at) => axis === y[at]);
  });
}

/** Whether other dims give up the axes that this one gets. */
export function takesOver({ kind, takesOver: isTaking }: DimGesture): boolean {
  return kind === "move" || isTaking === true;
}

/** The edited text, unless it has a fault that the text did not have before. */
function outcome(work: Work, edits: readonly TextEdit[]): GestureOutcome {
  const { document, compiled } = work;
  const source = applyEdits(document.source, edits);
  const before = new Set(errorsOf(compiled));
  const after = work.reread(source).compiled;
  const fault = errorsOf(after).find((message) => !before.has(message));
  if (fault !== undefined) return refused(fault);
  const missed = work.members
    .map((member) => missedBy(workOn(work, member), after))
    .find((text) => text !== undefined);
  if (missed !== undefined) return refused(missed);
  return { ok: true, label: gestureLabel(work), source };
}

function errorsOf(compiled: Compiled): readonly string[] {
  return compiled.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
}

function strategyNames(compiled: Compiled, operator: Operator): AxisLists {
  const { strategy } = compiled.plan.operators.get(operator.id) ?? {};
  const cuts = Object.entries(strategy?.cuts ?? {}).map(([name, parts]) => [
    name,
    axisNames(parts),
  ]);
  return Object.fromEntries(cuts);
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
