import type { Diagnostic } from "#core/diagnostics";
import type { OpAnno } from "./annotation.ts";
import type { Argument, Kwargs } from "./argument.ts";
import { expandStars } from "./expand.ts";
import { type Fault, mismatch } from "./fault.ts";
import { type OutputShapes, outputShapesOf } from "./output-shapes.ts";
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
  /** The annotations that were given, in order, as pieces are bound to them again. */
  readonly candidates: readonly OpAnno[];
}

/**
 * A bound annotation, or why the arguments do not fit.
 *
 * `expanded` is there whenever `*` could be expanded, even if something else does not fit.
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

// Upstream records the scalars of torch with the shape (1,).
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
