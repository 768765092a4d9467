import { type Diagnostic, hasErrors } from "#core/diagnostics";
import {
  type Argument,
  type Bound,
  bindAnnotation,
  isList,
  type Json,
  parseAnnotation,
  projectionsOf,
} from "#core/dimops";
import { type Box, fitsIndex, lengthOf, type Projection, projectBox } from "#core/indexspace";
import { type Form, formOf } from "./dim-form.ts";
import { type FormedOperand, frozenReason } from "./frozen-reason.ts";
import type { OperationNode } from "./graph.ts";
import { operandSlots } from "./operands.ts";

/** An annotation equivalent to a signature, as far as annotations can express it. */
export interface AnnotationOfSignature {
  readonly annotation: string;
  /** The operation's own annotation, bound. */
  readonly bound?: Bound;
  /** Operand names in the operation, in the order of the annotation. */
  readonly operands: readonly string[];
  /** Index axes, by position, that are frozen because some dim uses them in another way. */
  readonly frozen: readonly number[];
  /** Reason for each frozen axis: `"h" has no form in an annotation: it moves …`. */
  readonly reasons: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The nnScaler annotation of an operation with an index and a signature (loom.md §5); `undefined`
 * without them, or when they do not fit each other.
 *
 * An annotation in `params.anno` is returned if it still agrees. Else a row that one axis moves by
 * one cell is that axis, a mixed-radix row a bracket, a constant row a number. Windows, strides,
 * negative steps and diagonals of an output have no form: such a dim becomes a number and its axes
 * are frozen. Axes that an output lacks are frozen too, because Loom does not say how they reduce.
 */
export function annotationOf(operation: OperationNode): AnnotationOfSignature | undefined {
  const { index } = operation.tags;
  const known = projectedSlots(operation);
  if (index === undefined || known === undefined) return undefined;
  const { inputCount, operands, projections } = known;
  const kept = keptAnnotation(operation, index, projections);
  if (kept !== undefined) {
    const { text: annotation, bound } = kept;
    return { annotation, bound, operands, frozen: [], reasons: [], diagnostics: [] };
  }
  const names = axisNames(operation, index.length);
  const forms = projections.map((projection) => projection.map((row) => formOf(row, index)));
  const frozen = frozenAxes(index, forms, forms.slice(inputCount), projections);
  const formed = projections.map((projection, at): FormedOperand => {
    const isOutput = at >= inputCount;
    return { name: operands[at] ?? "", isOutput, projection, forms: forms[at] ?? [] };
  });
  const ordered = [...frozen].sort((a, b) => a - b);
  const reasons = ordered.map((axis) => {
    const why = frozenReason(axis, names, index, formed);
    return `"${names[axis] ?? ""}" has no form in an annotation: ${why}`;
  });
  const texts = forms.map((dims) => shapeText(dims, names, frozen));
  const [ins, outs] = [texts.slice(0, inputCount), texts.slice(inputCount)];
  return {
    annotation: `${ins.join(", ")} -> ${outs.join(", ")}`,
    operands,
    frozen: ordered,
    reasons,
    diagnostics: reasons.map((reason) => frozenNote(reason, operation)),
  };
}

/** The projections of all operands in order; `undefined` where one is missing or does not fit. */
function projectedSlots(operation: OperationNode) {
  const { index, signature } = operation.tags;
  if (index === undefined || signature === undefined) return undefined;
  const slots = operandSlots(operation);
  const projections = slots.flatMap(({ projection }) => (projection ? [projection] : []));
  const fits = projections.every((projection) => fitsIndex(projection, index.length));
  if (projections.length !== slots.length || !fits) return undefined;
  return {
    inputCount: slots.filter(({ side }) => side === "inputs").length,
    operands: slots.map(({ name }) => name),
    projections,
  };
}

function frozenAxes(
  index: Box,
  forms: readonly (readonly Form[])[],
  outputs: readonly (readonly Form[])[],
  projections: readonly Projection[],
): ReadonlySet<number> {
  const odd = forms.flat().flatMap((form) => form.odd);
  const lost = [...index.keys()].filter((axis) =>
    outputs.some((dims) => dims.filter(({ axes }) => axes.includes(axis)).length !== 1),
  );
  const isUsed = (axis: number) =>
    projections.some((rows) => rows.some(({ coefficients }) => coefficients[axis] !== 0));
  return new Set([...odd, ...lost].filter(isUsed));
}

// nnScaler treats a tensor of rank 0 as one of shape [1].
function shapeText(dims: readonly Form[], names: readonly string[], frozen: ReadonlySet<number>) {
  return dims.length === 0 ? "1" : dims.map((dim) => dimText(dim, names, frozen)).join(" ");
}

function dimText({ axes, cells }: Form, names: readonly string[], frozen: ReadonlySet<number>) {
  const words = axes.map((axis) => `${names[axis]}${frozen.has(axis) ? "^" : ""}`);
  const parts = cells > 1 || words.length === 0 ? [...words, String(cells)] : words;
  return parts.length === 1 ? String(parts[0]) : `(${parts.join(" ")})`;
}

/** Axis names stored in the operation's parameters, or `i0`, `i1`, …. */
export function axisNames({ params }: OperationNode, rank: number): readonly string[] {
  const kept = params.get("index_names");
  const names = Array.isArray(kept) ? kept.map(String) : [];
  const isUsable =
    names.length === rank &&
    new Set(names).size === rank &&
    names.every((name) => /^[a-zA-Z_]\w*$/.test(name));
  return isUsable ? names : Array.from({ length: rank }, (_, axis) => `i${axis}`);
}

/** The annotation in `params.anno`, if it gives exactly these projections. */
function keptAnnotation(
  operation: OperationNode,
  index: Box,
  projections: readonly Projection[],
): { readonly text: string; readonly bound: Bound } | undefined {
  const text = operation.params.get("anno");
  const parsed = typeof text === "string" ? parseAnnotation(text) : undefined;
  if (parsed?.ok !== true || typeof text !== "string") return undefined;
  const shapes = projections.map((projection) => projectBox(projection, index).map(lengthOf));
  const inputs = parsed.value.inputs.map((_, at): Argument => {
    const value = plainValue(operation, at);
    return value === undefined
      ? { kind: "tensor", shape: shapes.shift() ?? [] }
      : { kind: "plain", value };
  });
  const names = axisNames(operation, index.length);
  const sizes = names.map((name, axis) => [name, lengthOf(index[axis] ?? { start: 0, stop: 1 })]);
  const bound = bindAnnotation(parsed.value, inputs, Object.fromEntries(sizes));
  if (!bound.ok || hasErrors(bound.diagnostics)) return undefined;
  const made = projectionsOf(bound.value, names).filter(
    (_, at) => bound.value.inputs[at]?.kind !== "plain",
  );
  const isSame =
    made.length === projections.length &&
    made.every((rows, at) => rows !== undefined && sameSteps(rows, projections[at] ?? []));
  return isSame ? { text, bound: bound.value } : undefined;
}

/** A non-tensor argument, if `params.arguments` has one at this position. */
function plainValue({ params }: OperationNode, at: number): Json | undefined {
  const listed = params.get("arguments");
  const argument = isList(listed) ? listed[at] : undefined;
  if (typeof argument !== "object" || argument === null || isList(argument)) return undefined;
  return argument.value;
}

/** Whether two projections have equal steps and extents; offsets do not matter to an annotation. */
export function sameSteps(a: Projection, b: Projection): boolean {
  return (
    a.length === b.length &&
    a.every((row, dim) => {
      const other = b[dim];
      return (
        row.extent === other?.extent &&
        row.coefficients.every((step, axis) => step === other.coefficients[axis])
      );
    })
  );
}

function frozenNote(reason: string, operation: OperationNode): Diagnostic {
  return {
    code: "loom/axis-frozen",
    severity: "info",
    message: `of "${operation.label ?? operation.kernel}", index axis ${reason}`,
  };
}
