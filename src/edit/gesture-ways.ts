import type { Compiled } from "#compile";
import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { AxisLists } from "#language/document/trace";
import {
  axesAfter,
  axisLists,
  dimName,
  dimsOf,
  disturbedDim,
  namesIn,
  restsApart,
  sameLists,
} from "./gesture-axes.ts";
import type { GestureOutcome } from "./gesture-kinds.ts";
import type { Member, Work } from "./gesture-target.ts";
import { gestureLabel } from "./gesture-words.ts";

/** Operators and tensors that a gesture may change; all others must stay. */
export interface Change {
  readonly operators: ReadonlySet<OperatorId>;
  readonly tensors: ReadonlySet<TensorId>;
  /** Wanted cuts of the operators. */
  readonly wanted?: AxisLists;
}

/**
 * Outcome of the first edits that change the gesture's targets and nothing else. If there are none,
 * because a system's own words react to the change, the first edits without a fault.
 */
export function firstWay(
  work: Work,
  ways: readonly (readonly TextEdit[])[],
  change: Change,
): GestureOutcome {
  let [possible, refusal]: (GestureOutcome | undefined)[] = [];
  for (const edits of ways) {
    const done = outcomeOf(work, edits);
    if (!done.ok) {
      refusal ??= done;
      continue;
    }
    if (reaches(work, done.source, change)) return done;
    possible ??= done;
  }
  return possible ?? refusal ?? refused("no edit of the text says it");
}

/** Whether a text splits the operators as wanted and leaves all others unchanged. */
export function reaches({ document, reread }: Work, source: string, change: Change): boolean {
  const { operators, placements } = document.requests;
  const after = reread(source).document.requests;
  const { wanted } = change;
  return (
    sameElsewhere(operators, after.operators, change.operators, ({ strategy }) => strategy) &&
    sameElsewhere(placements, after.placements, change.tensors, ({ layout }) => layout) &&
    (wanted === undefined ||
      [...change.operators].every((id) => {
        const changed = after.operators.get(id)?.strategy;
        return changed !== undefined && sameLists(axisLists(changed.cuts), wanted);
      }))
  );
}

/** Whether all requests stay unchanged, except those for the changed operators or tensors. */
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

/** Outcome of the first edits without a fault. */
export function firstDone(
  work: Work,
  ways: readonly (readonly TextEdit[])[],
): GestureOutcome | undefined {
  return ways.map((edits) => outcomeOf(work, edits)).find(({ ok }) => ok);
}

/** The edited text, unless it has a fault that the text did not have before. */
export function outcomeOf(work: Work, edits: readonly TextEdit[]): GestureOutcome {
  const { document, compiled } = work;
  const source = applyEdits(document.source, edits);
  const before = new Set(errorsOf(compiled));
  const after = work.reread(source).compiled;
  const fault = errorsOf(after).find((message) => !before.has(message));
  if (fault !== undefined) return refused(fault);
  const missed = work.members
    .map((member) => missedBy(work, member, after))
    .find((text) => text !== undefined);
  if (missed !== undefined) return refused(missed);
  return { ok: true, label: gestureLabel(work), source };
}

function errorsOf(compiled: Compiled): readonly string[] {
  return compiled.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
}

/** Message if the resulting state differs from the requested one. */
function missedBy(work: Work, member: Member, after: Compiled): string | undefined {
  const { compiled, gesture } = work;
  const { tensor, reader } = member;
  const areApart = [compiled, after].some((each) => restsApart(each, tensor));
  const [before, then] = [compiled, after].map((each) => dimsOf(each, tensor, reader));
  if (before === undefined || then === undefined) return undefined;
  const asked = axesAfter(namesIn(before[gesture.dim]), gesture);
  const got = namesIn(then[gesture.dim]);
  const dim = dimName(tensor, gesture.dim);
  if (asked.join() !== got.join()) {
    const how =
      got.length === 0 ? "whole" : `split over ${got.map((axis) => `"${axis}"`).join(", ")}`;
    return `${keeperOf(work, member)} keeps "${dim}" of "${tensor.name}" ${how}`;
  }
  const isOneOfSeveral = reader !== undefined || areApart;
  if (tensor.producer !== undefined || !isOneOfSeveral) return undefined;
  const other = disturbedDim(before, then, gesture);
  if (other === undefined) return undefined;
  return `${keeperOf(work, member)} would split "${dimName(tensor, other)}" of "${tensor.name}" otherwise too`;
}

/** Name of the statement that also determines a tensor's layout. */
function keeperOf({ document }: Work, { tensor, reader }: Member): string {
  const isTrained = tensor.role === "parameter" && document.training?.zero === 3;
  return isTrained && reader === undefined
    ? "at rest zero=3 of train(…)"
    : "something else in the text";
}

function refused(reason: string): GestureOutcome {
  return { ok: false, reason };
}
