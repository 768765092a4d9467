import type { Compiled, Reader } from "#compile";
import { ruleOfDim } from "#compile";
import type { Operand, Operator, OperatorId, Tensor } from "#core/ir";
import type { MeshAxis } from "#core/mesh";
import { ruleSentence } from "#systems/system";
import type { DimGesture, GestureOutcome } from "./gesture-kinds.ts";
import type { Member, Work } from "./gesture-target.ts";
import { changeOperators, changePlace, takesOver } from "./gesture-writes.ts";

/** Changes a dim. If an axis of another dim is in the way, the outcome offers to move it. */
export function changeDimOrSayHow(work: Work): GestureOutcome {
  const done = changeDim(work);
  if (done.ok) return done;
  const { reason } = done;
  const { kind } = work.gesture;
  if ((kind !== "split" && kind !== "set") || takesOver(work.gesture)) return refused(reason);
  const gesture: DimGesture =
    kind === "split" ? { ...work.gesture, kind: "move" } : { ...work.gesture, takesOver: true };
  const moved = changeDim({ ...work, gesture });
  return moved.ok
    ? { ok: false, reason, instead: { gesture, label: moved.label } }
    : refused(reason);
}

function changeDim(work: Work): GestureOutcome {
  const unfit = axisFault(work);
  if (unfit !== undefined) return refused(unfit);
  if (work.gesture.kind === "scatter") return scatterSum(work);
  return work.tensor.producer === undefined ? changeLeaf(work) : changeResult(work);
}

/**
 * The next cut of a dim on repeated presses: each axis that may split it, in mesh order, then none.
 * If no axis may, the outcome offers to move the first one, if possible.
 */
export function cycleDim(work: Work): GestureOutcome {
  const { compiled, gesture, now } = work;
  const axes = compiled.mesh.mesh.axes.flatMap(({ name, size }) => (size > 1 ? [name] : []));
  const ordered = gesture.isBackward === true ? axes.toReversed() : axes;
  const [only] = now;
  const from = only === undefined ? 0 : now.length > 1 ? axes.length : ordered.indexOf(only) + 1;
  for (const axis of ordered.slice(from)) {
    const done = changeDim({ ...work, gesture: { ...gesture, kind: "set", axes: [axis] } });
    if (done.ok) return done;
  }
  if (only !== undefined) return changeDim({ ...work, gesture: { ...gesture, kind: "whole" } });
  const [axis] = ordered;
  if (axis === undefined) return refused("the mesh has no axis of more than one device");
  return changeDimOrSayHow({ ...work, gesture: { ...gesture, kind: "split", axis } });
}

function axisFault({ compiled, gesture, dimName: dim, now }: Work): string | undefined {
  if (gesture.kind === "whole") return undefined;
  const named = gesture.kind === "set" ? (gesture.axes ?? []) : [gesture.axis ?? ""];
  const unknown = named.find((name) => meshAxis(compiled, name) === undefined);
  if (unknown !== undefined) return `the mesh has no axis "${unknown}"`;
  const twice = named.find((name, at) => named.indexOf(name) < at);
  if (twice !== undefined) return `"${twice}" is named twice`;
  if (gesture.kind === "set") return undefined;
  const [axis = ""] = named;
  const isThere = now.includes(axis);
  if (isThere === (gesture.kind === "unsplit")) return undefined;
  return isThere ? `"${axis}" already splits "${dim}"` : `"${axis}" does not split "${dim}"`;
}

function meshAxis(compiled: Compiled, name: string | undefined): MeshAxis | undefined {
  return compiled.mesh.mesh.axes.find((axis) => axis.name === name);
}

function changeResult(work: Work): GestureOutcome {
  const operators = operatorsOf(work, ({ tensor }) => tensor.producer);
  const [operator] = operators;
  const operand = operator?.outputs.find(({ tensor }) => tensor === work.tensor.id);
  const identifier = operand?.dims[work.gesture.dim]?.splittable;
  if (operator === undefined) return refused(`"${work.tensor.name}" has no operator`);
  const isAsMade = work.gesture.reader?.operand === "made";
  if (isAsMade && identifier !== undefined) return changeOperators(work, operators, identifier);
  if (isAsMade) return noted(work, operator, refused(wholeText(work, operator, "makes")));
  const isPlaced = work.compiled.plan.placements.has(work.tensor.id);
  if (identifier === undefined || isPlaced) return noted(work, operator, changePlace(work));
  return changeOperators(work, operators, identifier);
}

/** Scatters a partial sum: the operator stays, and the text places the sum of its parts. */
function scatterSum(work: Work): GestureOutcome {
  const { axis } = work.gesture;
  const view = work.compiled.tensors.find(({ tensor }) => tensor === work.tensor.id);
  const isSum = view?.layout.partials.some(
    ({ part }) => part.kind === "axis" && part.axis === axis,
  );
  return isSum === true
    ? changePlace(work)
    : refused(`"${work.tensor.name}" is no sum over "${axis}"`);
}

/** Changes an input or parameter. */
function changeLeaf(work: Work): GestureOutcome {
  const { reader } = work.gesture;
  if (reader !== undefined) return changeRead(work, reader);
  const placed = changePlace(work);
  if (work.isApart || (placed.ok && followsAll(work, placed.source))) return placed;
  const consumers = operatorsOf(work, ({ tensor }) => firstReader(work.compiled, tensor));
  const [consumer] = consumers;
  const operand = consumer?.inputs.find(({ tensor }) => tensor === work.tensor.id);
  const identifier = operand?.dims[work.gesture.dim]?.splittable;
  if (consumer === undefined) return placed;
  if (identifier === undefined) return noted(work, consumer, placed);
  return changeOperators(work, consumers, identifier);
}

function firstReader({ graph }: Compiled, { id }: Tensor): OperatorId | undefined {
  return graph.operators.find(({ inputs }) => inputs.some(({ tensor }) => tensor === id))?.id;
}

/** Counterparts of an operator for each of the tensors that change alike. */
function operatorsOf(
  { compiled, members }: Work,
  idOf: (member: Member) => OperatorId | undefined,
): readonly Operator[] {
  const known = new Map(compiled.graph.operators.map((operator) => [operator.id, operator]));
  return members.flatMap((member) => {
    const id = idOf(member);
    return (id === undefined ? undefined : known.get(id)) ?? [];
  });
}

/** Changes an input or parameter as one operator holds it: only that operator's strategy. */
function changeRead(work: Work, { operator: id, operand: at }: Reader): GestureOutcome {
  const { tensor, gesture } = work;
  const operators = operatorsOf(work, ({ reader }) => reader?.operator);
  const [operator] = operators;
  const operand = at === "made" ? undefined : operator?.inputs[at];
  if (operator === undefined || operand?.tensor !== tensor.id) {
    return refused(`"${id}" does not read "${tensor.name}"`);
  }
  const identifier = operand.dims[gesture.dim]?.splittable;
  if (identifier !== undefined) return changeOperators(work, operators, identifier);
  return noted(work, operator, refused(wholeText(work, operator, "reads")), operand);
}

/** Adds the rule that keeps the dim whole in the operator, if the tensor is placed instead. */
function noted(
  work: Work,
  operator: Operator,
  done: GestureOutcome,
  operand: Operand | undefined = operandOf(operator, work.tensor),
): GestureOutcome {
  const { kind, dim, axes } = work.gesture;
  const isCut = kind === "split" || kind === "move" || (kind === "set" && axes?.length !== 0);
  const isWritten = work.document.built.operatorOf.size > 0;
  const rule = isCut && isWritten && operand ? ruleOfDim(operator, operand, dim) : undefined;
  if (rule === undefined) return done;
  const note = ruleSentence(rule);
  return done.ok ? { ...done, note } : { ...done, reason: `${done.reason}. ${note}` };
}

function operandOf(operator: Operator, tensor: Tensor): Operand | undefined {
  return [...operator.inputs, ...operator.outputs].find((operand) => operand.tensor === tensor.id);
}

function followsAll(work: Work, source: string): boolean {
  const { program } = work.reread(source).compiled;
  const own = new Set(work.members.map(({ tensor }) => tensor.id));
  return program.redistributions.every(({ tensor }) => !own.has(tensor));
}

/** Refusal for a dim that none of the operator's identifiers cuts. */
function wholeText({ tensor, dimName: dim }: Work, operator: Operator, does: string): string {
  return `"${operator.name}" ${does} "${dim}" of "${tensor.name}" whole`;
}

function refused(reason: string): GestureOutcome {
  return { ok: false, reason };
}
