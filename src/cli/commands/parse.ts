import {
  type AnnotationLevel,
  checkAnnotation,
  type OpAnno,
  parseFragment,
  printAnnotation,
  printDim,
  printShape,
  transformSpace,
} from "#core/dimops";
import { type Answer, type Arguments, badRequest } from "./answer.ts";

/** `parse`: the canonical text of an annotation, and every way to cut it. */
export function parseAnswer(args: Arguments): Answer {
  const { annotation, level = "operator" } = args;
  if (typeof annotation !== "string") return badRequest('"annotation" must be a text');
  if (level !== "operator" && level !== "shape" && level !== "dimension") {
    return badRequest('"level" must be "operator", "shape" or "dimension"');
  }
  const parsed = parseFragment(annotation, level);
  if (!parsed.ok) return { ok: false, diagnostics: parsed.diagnostics };
  // A fragment has no outputs, so only a whole annotation is checked for consistency.
  const warnings = level === "operator" ? checkAnnotation(parsed.value) : [];
  return {
    ok: true,
    canonical: canonical(parsed.value, level),
    space: transformSpace(parsed.value),
    diagnostics: [...parsed.diagnostics, ...warnings],
  };
}

function canonical(anno: OpAnno, level: AnnotationLevel): string {
  const shape = anno.inputs[0];
  if (level === "operator" || shape === undefined) return printAnnotation(anno);
  const dim = shape.dims[0];
  return level === "dimension" && dim !== undefined ? printDim(dim) : printShape(shape);
}
