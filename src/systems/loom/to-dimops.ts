import { type Diagnostic, hasErrors } from "#core/diagnostics";
import { type Argument, bindAnnotation, parseAnnotation, projectionsOf } from "#core/dimops";
import {
  type AffineRow,
  type Box,
  fitsIndex,
  lengthOf,
  type Projection,
  projectBox,
} from "#core/indexspace";
import type { OperationNode, Signature } from "./graph.ts";

/** An annotation that says what a signature says, as far as annotations can. */
export interface AnnotationOfSignature {
  readonly annotation: string;
  /** By operand in the order of the annotation: the name it has in the operation. */
  readonly operands: readonly string[];
  /** Index axes, by position, that are frozen because some dim uses them in another way. */
  readonly frozen: readonly number[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The nnScaler annotation of an operation that carries an index and a signature (loom.md §5);
 * `undefined` without them, or where they do not fit each other.
 *
 * An annotation kept in `params.anno` is given back if it still says the same. Else: a row that one
 * axis moves by one cell is that axis, a mixed-radix row a bracket, a constant row a number. Windows,
 * strides, negative steps and diagonals of an output have no form: such a dim becomes a number and
 * its axes are frozen, as are those that an output lacks, because Loom does not say how they reduce.
 */
export function annotationOf(operation: OperationNode): AnnotationOfSignature | undefined {
  const { index, signature } = operation.tags;
  if (index === undefined || signature === undefined) return undefined;
  const sides = sidesOf(signature);
  const all = [...sides.inputs, ...sides.outputs];
  if (!all.every(({ projection }) => fitsIndex(projection, index.length))) return undefined;
  const operands = all.map(({ name }) => name);
  const kept = keptAnnotation(
    operation,
    index,
    all.map(({ projection }) => projection),
  );
  if (kept !== undefined) return { annotation: kept, operands, frozen: [], diagnostics: [] };
  const names = axisNames(operation, index.length);
  const forms = all.map(({ projection }) => projection.map((row) => formOf(row, index)));
  const outputs = forms.slice(sides.inputs.length);
  const frozen = frozenAxes(
    index,
    forms,
    outputs,
    all.map(({ projection }) => projection),
  );
  const texts = forms.map((dims) => shapeText(dims, names, frozen));
  const [ins, outs] = [texts.slice(0, sides.inputs.length), texts.slice(sides.inputs.length)];
  return {
    annotation: `${ins.join(", ")} -> ${outs.join(", ")}`,
    operands,
    frozen: [...frozen].sort((a, b) => a - b),
    diagnostics: [...frozen].map((axis) => frozenNote(names[axis] ?? "", operation)),
  };
}

interface Operand {
  readonly name: string;
  readonly projection: Projection;
}

function sidesOf({ inputs, outputs }: Signature) {
  const list = (map: Signature["inputs"]): readonly Operand[] =>
    [...map].flatMap(([name, projections]) =>
      projections.map((projection) => ({ name, projection })),
    );
  return { inputs: list(inputs), outputs: list(outputs) };
}

/** One dim: index axes, most major first, over a number of cells that always go together. */
interface Form {
  readonly axes: readonly number[];
  readonly cells: number;
  /** Axes that move the dim in a way that no annotation expresses. */
  readonly odd: readonly number[];
}

function formOf(row: AffineRow, index: Box): Form {
  const moving = row.coefficients
    .map((step, axis) => ({ step, axis, length: lengthOf(index[axis] ?? { start: 0, stop: 1 }) }))
    .filter(({ step }) => step !== 0)
    .sort((a, b) => a.step - b.step || a.length - b.length);
  const axes: number[] = [];
  let reached = row.extent;
  for (const { step, axis, length } of moving) {
    if (step !== reached && length === 1) continue;
    if (step !== reached) {
      const [whole] = projectBox([row], index);
      const odd = moving.map(({ axis }) => axis);
      return { axes: [], cells: whole === undefined ? 1 : lengthOf(whole), odd };
    }
    reached *= length;
    axes.push(axis);
  }
  return { axes: axes.reverse(), cells: row.extent, odd: [] };
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

// nnScaler counts a tensor of rank 0 as one of shape [1].
function shapeText(dims: readonly Form[], names: readonly string[], frozen: ReadonlySet<number>) {
  return dims.length === 0 ? "1" : dims.map((dim) => dimText(dim, names, frozen)).join(" ");
}

function dimText({ axes, cells }: Form, names: readonly string[], frozen: ReadonlySet<number>) {
  const words = axes.map((axis) => `${names[axis]}${frozen.has(axis) ? "^" : ""}`);
  const parts = cells > 1 || words.length === 0 ? [...words, String(cells)] : words;
  return parts.length === 1 ? String(parts[0]) : `(${parts.join(" ")})`;
}

/** The names that the operation keeps for its axes, or letters. */
function axisNames({ params }: OperationNode, rank: number): readonly string[] {
  const kept = params.get("index_names");
  const names = Array.isArray(kept) ? kept.map(String) : [];
  const isUsable =
    names.length === rank &&
    new Set(names).size === rank &&
    names.every((name) => /^[a-zA-Z_]\w*$/.test(name));
  return isUsable ? names : Array.from({ length: rank }, (_, axis) => `i${axis}`);
}

/** The annotation in `params.anno`, if it makes just these projections. */
function keptAnnotation(
  operation: OperationNode,
  index: Box,
  projections: readonly Projection[],
): string | undefined {
  const text = operation.params.get("anno");
  const parsed = typeof text === "string" ? parseAnnotation(text) : undefined;
  if (parsed?.ok !== true || typeof text !== "string") return undefined;
  const shapes = projections.map((projection) => projectBox(projection, index).map(lengthOf));
  const inputs = shapes
    .slice(0, parsed.value.inputs.length)
    .map((shape): Argument => ({ kind: "tensor", shape }));
  const names = axisNames(operation, index.length);
  const sizes = names.map((name, axis) => [name, lengthOf(index[axis] ?? { start: 0, stop: 1 })]);
  const bound = bindAnnotation(parsed.value, inputs, Object.fromEntries(sizes));
  if (!bound.ok || hasErrors(bound.diagnostics)) return undefined;
  const made = projectionsOf(bound.value, names);
  const isSame =
    made.length === projections.length &&
    made.every((rows, at) => rows !== undefined && sameSteps(rows, projections[at] ?? []));
  return isSame ? text : undefined;
}

/** Whether two projections move alike; where they begin does not matter to an annotation. */
function sameSteps(a: Projection, b: Projection): boolean {
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

function frozenNote(name: string, operation: OperationNode): Diagnostic {
  return {
    code: "loom/axis-frozen",
    severity: "info",
    message: `index axis "${name}" of "${operation.label ?? operation.kernel}" is frozen: no annotation says how a split of it would go`,
  };
}
