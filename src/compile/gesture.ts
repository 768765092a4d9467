import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { Operator, Tensor } from "#core/ir";
import type { DimLayout, MeshAxis, Part } from "#core/mesh";
import {
  type AxisLists,
  type Document,
  placeEdits,
  readDocument,
  strategyEdits,
} from "#language/document";
import { isLoomText } from "#systems/loom";
import { compileDocument } from "./compile.ts";
import type { Compiled, CompileOptions } from "./compiled.ts";
import { ruleOfDim, ruleSentence } from "./forbidding-rule.ts";
import { entryEdits } from "./gesture-entries.ts";
import type { DimGesture, Gesture, GestureOutcome } from "./gesture-kinds.ts";
import { applyMeshGesture } from "./gesture-mesh.ts";
import { chooseStepsIn } from "./gesture-steps.ts";
import { readLoom } from "./read-loom.ts";

/**
 * The text after a change by hand, by the rule of design.md §2 ("Gestures").
 *
 * On a dim of a produced tensor the producer's strategy changes, where one identifier stands
 * there, else the tensor is placed. On an input or parameter it is placed when every consumer then
 * follows without a redistribution, else its first consumer's strategy changes. Inside an existing
 * `.shard(…)` the tuple's entries change. Beside a LoomGraph the plan changes: it then says the mesh
 * that the Applications stood on, and where the mesh itself changes all that they say.
 */
export function applyGesture(
  source: string,
  gesture: Gesture,
  options: CompileOptions = {},
): GestureOutcome {
  if (!isLoomText(source)) return gestureIn(readDocument(source), gesture);
  const { written } = readLoom(source, options);
  const outcome = gestureIn(written(!("tensor" in gesture)), gesture);
  return outcome.ok ? { ...outcome, source, planText: outcome.source } : outcome;
}

function gestureIn(document: Document, gesture: Gesture): GestureOutcome {
  const compiled = compileDocument(document);
  if (gesture.kind === "choose-steps") return chooseStepsIn(document, compiled, gesture);
  if (!("tensor" in gesture)) return applyMeshGesture(document, compiled, gesture);
  const tensor = compiled.graph.tensors.find((candidate) => candidate.id === gesture.tensor);
  if (tensor === undefined) return refused(`no tensor is called "${gesture.tensor}"`);
  if (gesture.dim < 0 || gesture.dim >= tensor.shape.length) {
    return refused(`"${tensor.name}" has no dim ${gesture.dim}`);
  }
  const work: Work = { document, compiled, gesture, tensor };
  if (gesture.kind === "cycle") return cycled(work);
  const done = changeDim(work);
  return done.ok ? done : withMove(work, done.reason);
}

function changeDim(work: Work): GestureOutcome {
  const unfit = axisFault(work);
  if (unfit !== undefined) return refused(unfit);
  return work.tensor.producer === undefined ? changeLeaf(work) : changeResult(work);
}

/** Says that an axis which splits another dim can be moved, where it can. */
function withMove(work: Work, reason: string): GestureOutcome {
  const { kind } = work.gesture;
  if ((kind !== "split" && kind !== "set") || takesOver(work.gesture)) return refused(reason);
  const gesture: DimGesture =
    kind === "split" ? { ...work.gesture, kind: "move" } : { ...work.gesture, takesOver: true };
  const moved = changeDim({ ...work, gesture });
  return moved.ok
    ? { ok: false, reason, instead: { gesture, label: moved.label } }
    : refused(reason);
}

/** Whole, each axis alone that may split the dim in the order of the mesh, and whole again. */
function cycled(work: Work): GestureOutcome {
  const { compiled, gesture, tensor } = work;
  const now = namesIn(viewOf(compiled, tensor)[gesture.dim]);
  const axes = compiled.mesh.mesh.axes.flatMap(({ name, size }) => (size > 1 ? [name] : []));
  const ordered = gesture.isBackward === true ? axes.toReversed() : axes;
  const [only] = now;
  const from = only === undefined ? 0 : now.length > 1 ? axes.length : ordered.indexOf(only) + 1;
  let first: GestureOutcome | undefined;
  for (const axis of ordered.slice(from)) {
    const done = changeDim({ ...work, gesture: { ...gesture, kind: "set", axes: [axis] } });
    if (done.ok) return done;
    first ??= done;
  }
  if (only !== undefined) return changeDim({ ...work, gesture: { ...gesture, kind: "whole" } });
  return first ?? refused("the mesh has no axis of more than one device");
}

interface Work {
  readonly document: Document;
  readonly compiled: Compiled;
  readonly gesture: DimGesture;
  readonly tensor: Tensor;
}

function axisFault({ compiled, gesture, tensor }: Work): string | undefined {
  if (gesture.kind === "whole") return undefined;
  const named = gesture.kind === "set" ? (gesture.axes ?? []) : [gesture.axis ?? ""];
  const unknown = named.find((name) => meshAxis(compiled, name) === undefined);
  if (unknown !== undefined) return `the mesh has no axis "${unknown}"`;
  const twice = named.find((name, at) => named.indexOf(name) < at);
  if (twice !== undefined) return `"${twice}" is named twice`;
  if (gesture.kind === "set") return undefined;
  const [axis = ""] = named;
  const isThere = namesIn(viewOf(compiled, tensor)[gesture.dim]).includes(axis);
  const dim = dimName(tensor, gesture.dim);
  if (gesture.kind === "unsplit") return isThere ? undefined : `"${axis}" does not split "${dim}"`;
  return isThere ? `"${axis}" already splits "${dim}"` : undefined;
}

function meshAxis(compiled: Compiled, name: string | undefined): MeshAxis | undefined {
  return compiled.mesh.mesh.axes.find((axis) => axis.name === name);
}

function changeResult(work: Work): GestureOutcome {
  const operator = work.compiled.graph.operators.find(({ id }) => id === work.tensor.producer);
  const operand = operator?.outputs.find(({ tensor }) => tensor === work.tensor.id);
  const identifier = operand?.dims[work.gesture.dim]?.splittable;
  if (operator === undefined) return refused(`"${work.tensor.name}" has no operator`);
  const isPlaced = work.compiled.plan.placements.has(work.tensor.id);
  if (identifier === undefined || isPlaced) return noted(work, operator, changePlace(work));
  return changeOperator(work, operator, identifier);
}

/** Of an input or parameter. */
function changeLeaf(work: Work): GestureOutcome {
  const placed = changePlace(work);
  const isWritten = work.compiled.plan.placements.get(work.tensor.id)?.status === "set";
  if (isWritten || (placed.ok && followsAll(work, placed.source))) return placed;
  const consumer = work.compiled.graph.operators.find(({ inputs }) =>
    inputs.some(({ tensor }) => tensor === work.tensor.id),
  );
  const operand = consumer?.inputs.find(({ tensor }) => tensor === work.tensor.id);
  const identifier = operand?.dims[work.gesture.dim]?.splittable;
  if (consumer === undefined) return placed;
  if (identifier === undefined) return noted(work, consumer, placed);
  return changeOperator(work, consumer, identifier);
}

/** Says which rule keeps the dim whole in the operator, where the tensor is placed otherwise. */
function noted(work: Work, operator: Operator, done: GestureOutcome): GestureOutcome {
  const { kind, dim, axes } = work.gesture;
  const isCut = kind === "split" || kind === "move" || (kind === "set" && axes?.length !== 0);
  const operands = [...operator.inputs, ...operator.outputs];
  const operand = operands.find(({ tensor }) => tensor === work.tensor.id);
  const isWritten = work.document.built.operatorOf.size > 0;
  const rule = isCut && isWritten && operand ? ruleOfDim(operator, operand, dim) : undefined;
  if (rule === undefined) return done;
  const note = ruleSentence(rule);
  return done.ok ? { ...done, note } : { ...done, reason: `${done.reason}. ${note}` };
}

function followsAll(work: Work, source: string): boolean {
  const { program } = compileDocument(work.document.reread(source));
  return program.redistributions.every(({ tensor }) => tensor !== work.tensor.id);
}

function changePlace(work: Work): GestureOutcome {
  const current = viewOf(work.compiled, work.tensor).map(namesIn);
  const { gesture, document, tensor } = work;
  const added = addedAxes(current[gesture.dim] ?? [], gesture);
  const taken = current
    .flatMap((axes, dim) => (dim === gesture.dim ? [] : axes.map((axis) => ({ axis, dim }))))
    .find(({ axis }) => added.includes(axis));
  if (taken !== undefined && !takesOver(gesture)) {
    const dim = dimName(tensor, taken.dim);
    return refused(`"${taken.axis}" already splits "${dim}" of "${tensor.name}"`);
  }
  const wanted = current.map((axes, dim) =>
    dim === gesture.dim ? changed(axes, gesture) : axes.filter((axis) => !added.includes(axis)),
  );
  return outcome(work, placeEdits(document, tensor, wanted));
}

function changeOperator(work: Work, operator: Operator, identifier: string): GestureOutcome {
  const cuts = strategyNames(work.compiled, operator);
  const { gesture, document, compiled } = work;
  const added = addedAxes(cuts[identifier] ?? [], gesture);
  const holder = Object.keys(cuts).find(
    (name) => name !== identifier && cuts[name]?.some((axis) => added.includes(axis)),
  );
  if (holder !== undefined && !takesOver(gesture)) {
    const axis = cuts[holder]?.find((name) => added.includes(name));
    return refused(`"${axis}" already splits ${dimOf(compiled, operator, holder)}`);
  }
  const wanted = Object.fromEntries(
    Object.entries({ ...cuts, [identifier]: cuts[identifier] ?? [] }).map(([name, axes]) => [
      name,
      name === identifier ? changed(axes, gesture) : axes.filter((axis) => !added.includes(axis)),
    ]),
  );
  const entries = entryEdits(document, compiled.mesh.mesh, operator, cuts, wanted);
  const inside = entries === undefined ? undefined : outcome(work, entries);
  if (inside?.ok === true && reaches(work, operator, wanted, inside.source)) return inside;
  const isShard = document.trace.operators.some(
    (traced) => document.built.operatorOf.get(traced)?.id === operator.id && traced.strategy,
  );
  if (inside?.ok === false && isShard && entries?.length !== 0) return inside;
  return outcome(work, strategyEdits(document, operator, wanted));
}

/** Whether a text splits the operator as wanted and leaves all others as they were. */
function reaches(
  { document }: Work,
  operator: Operator,
  wanted: AxisLists,
  source: string,
): boolean {
  const after = document.reread(source);
  const changed = after.requests.operators.get(operator.id)?.strategy;
  if (changed === undefined || !sameLists(namesOf(changed.cuts), wanted)) return false;
  return [...document.requests.operators].every(([id, { strategy }]) => {
    const read = after.requests.operators.get(id)?.strategy;
    if (id === operator.id) return true;
    return read !== undefined && sameLists(namesOf(read.cuts), namesOf(strategy.cuts));
  });
}

function namesOf(cuts: Readonly<Record<string, readonly Part[]>>): AxisLists {
  return Object.fromEntries(Object.entries(cuts).map(([name, parts]) => [name, axisNames(parts)]));
}

function sameLists(a: AxisLists, b: AxisLists): boolean {
  return Object.keys({ ...a, ...b }).every((name) => {
    const [x, y] = [a[name] ?? [], b[name] ?? []];
    return x.length === y.length && x.every((axis, at) => axis === y[at]);
  });
}

function changed(axes: readonly string[], gesture: DimGesture): readonly string[] {
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

/** Whether other dims give up the axes that this one gets. */
function takesOver({ kind, takesOver: isTaking }: DimGesture): boolean {
  return kind === "move" || isTaking === true;
}

/** The axes that a dim gets and does not have. */
function addedAxes(axes: readonly string[], gesture: DimGesture): readonly string[] {
  return changed(axes, gesture).filter((axis) => !axes.includes(axis));
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

/** The edited text, unless it has a fault that the text did not have before. */
function outcome(work: Work, edits: readonly TextEdit[]): GestureOutcome {
  const { document, compiled } = work;
  const source = applyEdits(document.source, edits);
  const before = new Set(errorsOf(compiled));
  const after = compileDocument(work.document.reread(source));
  const fault = errorsOf(after).find((message) => !before.has(message));
  if (fault !== undefined) return refused(fault);
  const missed = missedBy(work, after);
  if (missed !== undefined) return refused(missed);
  return { ok: true, label: labelOf(work), source };
}

/** Says so where the text would be edited and the dim would not be as it was asked for. */
function missedBy({ compiled, gesture, tensor }: Work, after: Compiled): string | undefined {
  const now = namesIn(viewOf(compiled, tensor)[gesture.dim]);
  const then = namesIn(viewOf(after, tensor)[gesture.dim]);
  const asked = changed(now, gesture);
  if (asked.length === then.length && asked.every((axis, at) => axis === then[at])) {
    return undefined;
  }
  const dim = dimName(tensor, gesture.dim);
  const how =
    then.length === 0 ? "whole" : `split over ${then.map((axis) => `"${axis}"`).join(", ")}`;
  return `something else in the text keeps "${dim}" of "${tensor.name}" ${how}`;
}

function errorsOf(compiled: Compiled): readonly string[] {
  return compiled.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
}

function labelOf({ compiled, gesture, tensor }: Work): string {
  const dim = `${tensor.name}.${dimName(tensor, gesture.dim)}`;
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
      const now = namesIn(viewOf(compiled, tensor)[gesture.dim]);
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

function strategyNames(compiled: Compiled, operator: Operator): AxisLists {
  const { strategy } = compiled.plan.operators.get(operator.id) ?? {};
  const cuts = Object.entries(strategy?.cuts ?? {}).map(([name, parts]) => [
    name,
    axisNames(parts),
  ]);
  return Object.fromEntries(cuts);
}

/** How a tensor lies where the text places it, else as its operator leaves it. */
function viewOf(compiled: Compiled, tensor: Tensor): readonly DimLayout[] {
  const placed = compiled.plan.placements.get(tensor.id);
  if (placed?.status === "set") return placed.layout.dims;
  const view = compiled.tensors.find((candidate) => candidate.tensor === tensor.id);
  return view?.layout.dims ?? [];
}

function namesIn(dim: DimLayout | undefined): readonly string[] {
  return axisNames(dim?.parts ?? []);
}

function axisNames(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
}

function dimOf(compiled: Compiled, operator: Operator, identifier: string): string {
  const holder = operator.inputs.find((operand) =>
    operand.dims.some(({ identifiers }) => identifiers.includes(identifier)),
  );
  const tensor = compiled.graph.tensors.find(({ id }) => id === holder?.tensor);
  return tensor === undefined ? `"${identifier}"` : `"${identifier}" of "${tensor.name}"`;
}

function dimName(tensor: Tensor, dim: number): string {
  return tensor.dimNames[dim] ?? String(dim);
}

function refused(reason: string): GestureOutcome {
  return { ok: false, reason };
}
