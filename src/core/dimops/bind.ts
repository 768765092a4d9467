import type { Diagnostic } from "#core/diagnostics";
import type { DimAnno, OpAnno, ShapeAnno } from "./annotation.ts";
import { type Argument, describeArgument, type Kwargs } from "./argument.ts";
import { type Fault, mismatch, raised } from "./fault.ts";
import { type OutputShapes, outputShapesOf } from "./output-shapes.ts";
import { identifiersOf } from "./parse.ts";
import { printAnnotation } from "./print.ts";
import { solveSizes } from "./solve.ts";

/** An annotation together with the arguments that it fits. */
export interface Bound {
  /** Expanded: no tensor has a leading `*` left. */
  readonly annotation: OpAnno;
  readonly inputs: readonly Argument[];
  readonly kwargs: Kwargs;
  /** Length of every identifier; numbers are identifiers too. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly outputs: OutputShapes;
  /** The given annotations in order; pieces of the operator are bound to them again. */
  readonly candidates: readonly OpAnno[];
}

/**
 * Bound annotation, or the reasons why the arguments do not fit.
 *
 * `expanded` is present whenever `*` could be expanded, even if something else does not fit.
 */
export type Binding =
  | { readonly ok: true; readonly value: Bound; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly ok: false;
      readonly expanded?: OpAnno;
      readonly diagnostics: readonly Diagnostic[];
    };

/** Binds one annotation; `bindFirst` says how. */
export function bindAnnotation(
  annotation: OpAnno,
  inputs: readonly Argument[],
  kwargs: Kwargs = {},
): Binding {
  return bindFirst([annotation], inputs, kwargs);
}

/**
 * Binds the first of several annotations that fits the arguments (dimops.md §2).
 *
 * `*` is expanded, hidden sizes of brackets are found, outputs get their shapes. Inputs pair with
 * annotated tensors by position; a tensor of rank 0 counts as shape `[1]`. A size conflict is an
 * error at once, later candidates are not tried behind it.
 */
export function bindFirst(
  candidates: readonly OpAnno[],
  inputs: readonly Argument[],
  kwargs: Kwargs = {},
): Binding {
  const given = inputs.some(isScalar) ? inputs.map(withoutRankZero) : inputs;
  const failures: Failure[] = [];
  for (const annotation of candidates) {
    const outcome = tryBind(annotation, given, kwargs);
    if (outcome.kind === "fits") return withOutputs(outcome, given, kwargs, candidates);
    failures.push(outcome);
    if (outcome.faults[0]?.stops === true) return refusal(outcome);
  }
  const [only, ...others] = failures;
  return only !== undefined && others.length === 0 ? refusal(only) : noneFits(candidates, failures);
}

interface Failure {
  readonly kind: "fails";
  readonly faults: readonly Fault[];
  readonly expanded?: OpAnno;
}

interface Fit extends Pick<Bound, "annotation" | "sizes"> {
  readonly kind: "fits";
}

function tryBind(annotation: OpAnno, inputs: readonly Argument[], kwargs: Kwargs): Fit | Failure {
  if (annotation.inputs.length !== inputs.length) {
    return { kind: "fails", faults: [otherCount(annotation, inputs.length)] };
  }
  const expansion = expandStars(annotation, inputs);
  if (expansion.kind === "failed") return { kind: "fails", faults: [expansion.fault] };
  const expanded = expansion.annotation;
  const { sizes, faults } = solveSizes(expanded, inputs, kwargs);
  if (faults.length > 0) return { kind: "fails", faults, expanded };
  return { kind: "fits", annotation: expanded, sizes };
}

function withOutputs(
  { annotation, sizes }: Fit,
  inputs: readonly Argument[],
  kwargs: Kwargs,
  candidates: readonly OpAnno[],
): Binding {
  const { outputs, diagnostics } = outputShapesOf(annotation, sizes);
  if (diagnostics.length > 0) return { ok: false, expanded: annotation, diagnostics };
  const value = { annotation, inputs, kwargs, sizes, outputs, candidates };
  return { ok: true, value, diagnostics: [] };
}

function refusal({ faults, expanded }: Failure): Binding {
  const diagnostics = faults.map(({ diagnostic }) => diagnostic);
  return { ok: false, ...(expanded !== undefined && { expanded }), diagnostics };
}

function isScalar(argument: Argument): argument is Extract<Argument, { kind: "tensor" }> {
  return argument.kind === "tensor" && argument.shape.length === 0;
}

// Upstream records scalars with the shape (1,).
function withoutRankZero(argument: Argument): Argument {
  return isScalar(argument) ? { ...argument, shape: [1] } : argument;
}

function otherCount(annotation: OpAnno, count: number): Fault {
  const wanted = annotation.inputs.length;
  return mismatch({
    code: "dimops/input-count",
    message: `"${printAnnotation(annotation)}" annotates ${wanted} inputs, but ${count} are given`,
  });
}

function noneFits(candidates: readonly OpAnno[], failures: readonly Failure[]): Binding {
  const reasons = failures.map(({ faults }, index) => {
    const anno = candidates[index];
    const text = anno === undefined ? "" : printAnnotation(anno);
    return `"${text}": ${faults[0]?.diagnostic.message ?? ""}`;
  });
  const { diagnostic } = mismatch({
    code: "dimops/no-candidate-fits",
    message: ["no matching annotation", ...reasons].join("; "),
  });
  return { ok: false, diagnostics: [diagnostic] };
}

/** Expansion of the first `*` of each tensor into dims, or the fault that prevents it. */
export type Expansion =
  | { readonly kind: "expanded"; readonly annotation: OpAnno }
  | { readonly kind: "failed"; readonly fault: Fault };

const alphabet = [..."abcdefghijklmnopqrstuvwxyz"];

/**
 * Replaces the first `*` of each tensor by as many dims as its shape has left over (dimops.md §2).
 *
 * All tensors get the same letters, the first ones of the alphabet that the annotation does not
 * use; they may be none. A second `*` in one tensor stays as an identifier of that name.
 */
function expandStars(annotation: OpAnno, inputs: readonly Argument[]): Expansion {
  if (!hasStar(annotation)) return { kind: "expanded", annotation };
  const identifiers = identifiersOf(annotation);
  const names = new Set(identifiers.map(({ name }) => name));
  const count = starLength(annotation, inputs);
  if (typeof count !== "number") return { kind: "failed", fault: count };
  const letters = alphabet.filter((letter) => !names.has(letter));
  if (count > letters.length) return { kind: "failed", fault: noLettersLeft(count) };
  const expand = (shape: ShapeAnno) => expandShape(shape, letters.slice(0, count));
  const [expandedInputs, outputs] = [annotation.inputs.map(expand), annotation.outputs.map(expand)];
  return { kind: "expanded", annotation: { inputs: expandedInputs, outputs } };
}

function hasStar({ inputs, outputs }: OpAnno): boolean {
  const isStarred = ({ dims }: ShapeAnno) =>
    dims.some(({ identifiers }) => identifiers.some(({ name }) => name === "*"));
  return inputs.some(isStarred) || outputs.some(isStarred);
}

// A tensor with too few dims counts as an expansion to none; its rank does not match later on.
function starLength(annotation: OpAnno, inputs: readonly Argument[]): number | Fault {
  let length: { readonly count: number; readonly input: number } | undefined;
  for (const [input, shape] of annotation.inputs.entries()) {
    const star = shape.dims[starIndex(shape)];
    const argument = inputs[input];
    if (star === undefined || argument === undefined) continue;
    if (argument.kind !== "tensor") return starAtPlain(inputs, input, star);
    const count = argument.shape.length - (shape.dims.length - 1);
    if (length !== undefined && length.count !== count) {
      return unequalStars(inputs, [length.input, length.count], [input, count], star);
    }
    length ??= { count: Math.max(0, count), input };
  }
  return length?.count ?? starOnlyInOutputs(annotation);
}

function starIndex(shape: ShapeAnno): number {
  return shape.dims.findIndex(({ identifiers }) => {
    return identifiers.length === 1 && identifiers[0]?.kind === "star";
  });
}

function expandShape(shape: ShapeAnno, letters: readonly string[]): ShapeAnno {
  const index = starIndex(shape);
  const star = shape.dims[index]?.identifiers[0];
  if (star === undefined) return shape;
  const letterDims = letters.map((name): DimAnno => {
    return { identifiers: [{ ...star, kind: "name", name }], span: star.span };
  });
  return { ...shape, dims: shape.dims.toSpliced(index, 1, ...letterDims) };
}

function starAtPlain(inputs: readonly Argument[], input: number, star: DimAnno): Fault {
  return mismatch({
    code: "dimops/star-needs-tensor",
    message: `"*" stands for the dims of a tensor, but ${describeArgument(inputs, input)} is none`,
    span: star.span,
  });
}

function unequalStars(
  inputs: readonly Argument[],
  first: readonly [number, number],
  second: readonly [number, number],
  star: DimAnno,
): Fault {
  const counts = [first, second].map(([input, count]) => {
    return `${count} in ${describeArgument(inputs, input)}`;
  });
  return mismatch({
    code: "dimops/unequal-stars",
    message: `"*" must stand for equally many dims, but there are ${counts.join(" and ")}`,
    span: star.span,
  });
}

function starOnlyInOutputs(annotation: OpAnno): Fault {
  const star = identifiersOf(annotation).find(({ name }) => name === "*");
  return raised("AssertionError", {
    code: "dimops/star-not-in-inputs",
    message: `"*" should also appear in inputs of "${printAnnotation(annotation)}"`,
    ...(star !== undefined && { span: star.span }),
  });
}

function noLettersLeft(count: number): Fault {
  return raised("IndexError", {
    code: "dimops/no-letters-left",
    message: `"*" stands for ${count} dims, but the alphabet has no letters left to name them`,
  });
}
