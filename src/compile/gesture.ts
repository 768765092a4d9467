import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { Operator, Tensor } from "#core/ir";
import type { DimLayout, MeshAxis, Part } from "#core/mesh";
import {
  type AxisLists,
  type Document,
  placeEdits,
  readDocument,
  strategyEdits,
  tupleEdits,
} from "#language/document";
import { compileDocument } from "./compile.ts";
import type { Compiled, Gesture, GestureOutcome } from "./compiled.ts";

/**
 * The text after a change by hand, by the rule of design.md §2 ("Gestures").
 *
 * On a dim of a produced tensor the producer's strategy changes, where one identifier stands
 * there, else the tensor is placed. On an input or parameter it is placed when every consumer then
 * follows without a redistribution, else its first consumer's strategy changes. Inside an existing
 * `.shard(…)` the tuple's entries change.
 */
export function applyGesture(source: string, gesture: Gesture): GestureOutcome {
  const document = readDocument(source);
  const compiled = compileDocument(document);
  const tensor = compiled.graph.tensors.find((candidate) => candidate.id === gesture.tensor);
  if (tensor === undefined) return refused(`no tensor is called "${gesture.tensor}"`);
  if (gesture.dim < 0 || gesture.dim >= tensor.shape.length) {
    return refused(`"${tensor.name}" has no dim ${gesture.dim}`);
  }
  const work: Work = { document, compiled, gesture, tensor };
  const unfit = axisFault(work);
  if (unfit !== undefined) return refused(unfit);
  return tensor.producer === undefined ? changeLeaf(work) : changeResult(work);
}

interface Work {
  readonly document: Document;
  readonly compiled: Compiled;
  readonly gesture: Gesture;
  readonly tensor: Tensor;
}

function axisFault({ compiled, gesture, tensor }: Work): string | undefined {
  if (gesture.kind === "whole") return undefined;
  const axis = meshAxis(compiled, gesture.axis);
  if (axis === undefined) return `the mesh has no axis "${gesture.axis ?? ""}"`;
  const axes = namesIn(viewOf(compiled, tensor)[gesture.dim]);
  const dim = dimName(tensor, gesture.dim);
  if (gesture.kind === "unsplit") {
    return axes.includes(axis.name) ? undefined : `"${axis.name}" does not split "${dim}"`;
  }
  return axes.includes(axis.name) ? `"${axis.name}" already splits "${dim}"` : undefined;
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
  if (identifier === undefined || isPlaced) return changePlace(work);
  return changeOperator(work, operator, identifier);
}

/** Of an input or parameter. */
function changeLeaf(work: Work): GestureOutcome {
  const placed = changePlace(work);
  if (placed.ok && followsAll(work, placed.source)) return placed;
  const consumer = work.compiled.graph.operators.find(({ inputs }) =>
    inputs.some(({ tensor }) => tensor === work.tensor.id),
  );
  const operand = consumer?.inputs.find(({ tensor }) => tensor === work.tensor.id);
  const identifier = operand?.dims[work.gesture.dim]?.splittable;
  if (consumer === undefined || identifier === undefined) return placed;
  return changeOperator(work, consumer, identifier);
}

function followsAll(work: Work, source: string): boolean {
  const { program } = compileDocument(readDocument(source));
  return program.redistributions.every(({ tensor }) => tensor !== work.tensor.id);
}

function changePlace(work: Work): GestureOutcome {
  const current = viewOf(work.compiled, work.tensor).map(namesIn);
  const { gesture, document, tensor } = work;
  const elsewhere = current.findIndex(
    (axes, dim) => dim !== gesture.dim && axes.includes(gesture.axis ?? ""),
  );
  if (gesture.kind === "split" && elsewhere >= 0) {
    return refused(
      `"${gesture.axis}" already splits "${dimName(tensor, elsewhere)}" of "${tensor.name}"`,
    );
  }
  const wanted = current.map((axes, dim) => (dim === gesture.dim ? changed(axes, gesture) : axes));
  return outcome(work, placeEdits(document, tensor, wanted));
}

function changeOperator(work: Work, operator: Operator, identifier: string): GestureOutcome {
  const cuts = strategyNames(work.compiled, operator);
  const { gesture, document, compiled } = work;
  const holder = Object.keys(cuts).find((name) => cuts[name]?.includes(gesture.axis ?? ""));
  if (gesture.kind === "split" && holder !== undefined && holder !== identifier) {
    return refused(`"${gesture.axis}" already splits ${dimOf(compiled, operator, holder)}`);
  }
  const traced = [...document.built.operatorOf].find(([, built]) => built.id === operator.id)?.[0];
  if (traced?.strategy?.kind === "tuples" && !document.strategyCalls.has(operator.id)) {
    const size = meshAxis(compiled, gesture.axis)?.size ?? 1;
    const edits = tupleEdits(traced, operator, identifier, tupleChange(gesture, size));
    return edits.ok ? outcome(work, edits.value) : refused(edits.diagnostics[0]?.message ?? "");
  }
  const wanted = { ...cuts, [identifier]: changed(cuts[identifier] ?? [], gesture) };
  return outcome(work, strategyEdits(document, operator, wanted));
}

function tupleChange(gesture: Gesture, size: number): (pieces: number) => number {
  switch (gesture.kind) {
    case "split":
      return (pieces) => pieces * size;
    case "unsplit":
      return (pieces) => Math.max(1, Math.floor(pieces / size));
    case "whole":
      return () => 1;
  }
}

function changed(axes: readonly string[], { kind, axis }: Gesture): readonly string[] {
  if (kind === "whole") return [];
  if (kind === "unsplit") return axes.filter((name) => name !== axis);
  return axis === undefined ? axes : [...axes, axis];
}

/** The edited text, unless it has a fault that the text did not have before. */
function outcome(work: Work, edits: readonly TextEdit[]): GestureOutcome {
  const { document, compiled, gesture, tensor } = work;
  const source = applyEdits(document.source, edits);
  const before = new Set(errorsOf(compiled));
  const fault = errorsOf(compileDocument(readDocument(source))).find(
    (message) => !before.has(message),
  );
  if (fault !== undefined) return refused(fault);
  return { ok: true, label: labelOf(gesture, tensor), source };
}

function errorsOf(compiled: Compiled): readonly string[] {
  return compiled.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
}

function labelOf(gesture: Gesture, tensor: Tensor): string {
  const dim = `${tensor.name}.${dimName(tensor, gesture.dim)}`;
  switch (gesture.kind) {
    case "split":
      return `Split ${dim} over ${gesture.axis}`;
    case "unsplit":
      return `Take ${gesture.axis} off ${dim}`;
    case "whole":
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

function viewOf(compiled: Compiled, tensor: Tensor): readonly DimLayout[] {
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
