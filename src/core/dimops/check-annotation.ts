import type { Diagnostic } from "#core/diagnostics";
import type { Identifier, OpAnno, ShapeAnno } from "./annotation.ts";
import { printDim } from "./print.ts";

/**
 * Warns of annotations that upstream reads but that fail or mislead later (dimops.md §1, §1.3).
 *
 * Warned: an output identifier that no input has and no number gives, `*` only in outputs, `*` or
 * `?` with a reduction inside a bracket, an input without dims, and an identifier without
 * reduction that an output lacks, which makes wrong values when it is cut.
 */
export function checkAnnotation(anno: OpAnno): readonly Diagnostic[] {
  return [
    ...anno.inputs.flatMap(checkInput),
    ...outputsWithoutSize(anno),
    ...lostAxes(anno),
    ...[...anno.inputs, ...anno.outputs].flatMap(checkBrackets),
  ];
}

/** The identifiers without reduction that some output lacks: cutting one makes wrong values. */
export function lostIdentifiers(anno: OpAnno): readonly string[] {
  const tensors = anno.outputs.filter(({ ignored }) => !ignored);
  const keptBy = new Map<string, number>();
  for (const shape of tensors) {
    for (const name of new Set(namesOf(shape).map((identifier) => identifier.name))) {
      keptBy.set(name, (keptBy.get(name) ?? 0) + 1);
    }
  }
  const free = anno.inputs.flatMap(namesOf).filter(({ reduction }) => reduction === "");
  const lost = free.filter(({ name }) => (keptBy.get(name) ?? 0) < tensors.length);
  return [...new Set(lost.map(({ name }) => name))];
}

function namesOf(shape: ShapeAnno): readonly Identifier[] {
  return shape.dims.flatMap(({ identifiers }) => identifiers);
}

function checkInput(shape: ShapeAnno, input: number): readonly Diagnostic[] {
  if (shape.dims.length > 0) return [];
  const message = `input ${input} has no dims: it matches no tensor, for scalars have the shape (1,)`;
  return [warning("dimops/input-without-dims", message, shape.span, "RuntimeError")];
}

function outputsWithoutSize(anno: OpAnno): readonly Diagnostic[] {
  const known = new Set(anno.inputs.flatMap(namesOf).map(({ name }) => name));
  const names = anno.outputs.filter(({ ignored }) => !ignored).flatMap(namesOf);
  const unknown = names.filter(({ kind, name }) => kind !== "number" && !known.has(name));
  return unknown.map(({ kind, name, span }) => {
    const message = `nothing gives the size of "${name}": no input has this identifier`;
    if (kind !== "star") return warning("dimops/output-without-size", message, span, "TypeError");
    return warning(
      "dimops/star-not-in-inputs",
      '"*" should also appear in inputs',
      span,
      "AssertionError",
    );
  });
}

function lostAxes(anno: OpAnno): readonly Diagnostic[] {
  const named = anno.inputs.flatMap(namesOf).map((each) => [each.name, each] as const);
  const firsts = new Map(named.reverse());
  return lostIdentifiers(anno).flatMap((lost): Diagnostic[] => {
    const at = firsts.get(lost);
    const message =
      `an output lacks "${lost}", which has no reduction: a cut of it would make wrong values; ` +
      `write "${lost}+" if it is summed, "${lost}^" if it must stay whole`;
    return at === undefined ? [] : [warning("dimops/axis-lost", message, at.span)];
  });
}

function checkBrackets(shape: ShapeAnno): readonly Diagnostic[] {
  const brackets = shape.dims.filter(({ identifiers }) => identifiers.length > 1);
  return brackets.flatMap((dim) => {
    const special = dim.identifiers.filter(({ kind }) => kind === "star" || kind === "ignored");
    return special.map(({ name, span }) => {
      const message = `"${name}" means nothing inside the bracket "${printDim(dim)}"`;
      return warning("dimops/special-in-bracket", message, span, "ValueError");
    });
  });
}

function warning(
  code: DiagnosticCode,
  message: string,
  span: Diagnostic["span"],
  upstream?: string,
): Diagnostic {
  return {
    code,
    severity: "warning",
    message,
    ...(span !== undefined && { span }),
    ...(upstream !== undefined && { upstream }),
  };
}
