import type { Diagnostic } from "#core/diagnostics";
import type { DimAnno, Identifier, OpAnno, ShapeAnno } from "./annotation.ts";

/** All identifiers of an annotation in order of appearance, inputs first, with repetitions. */
export function identifiersOf(anno: OpAnno): readonly Identifier[] {
  const found: Identifier[] = [];
  for (const shapes of [anno.inputs, anno.outputs]) {
    for (const { dims } of shapes) for (const { identifiers } of dims) found.push(...identifiers);
  }
  return found;
}

/** Reports each occurrence whose reduction differs from the identifier's first one. */
export function checkReductions(anno: OpAnno): readonly Diagnostic[] {
  const firsts = new Map<string, Identifier>();
  return identifiersOf(anno).flatMap((identifier) => {
    const first = firsts.get(identifier.name) ?? identifier;
    firsts.set(identifier.name, first);
    return first.reduction === identifier.reduction ? [] : [inconsistent(identifier, first)];
  });
}

/**
 * Freezes the inner identifiers of brackets, everywhere in the annotation.
 *
 * In a bracket only the first identifier behind leading `1`s can be cut, because a block of a
 * flattened dim is a block of its outermost factor; all later ones become `^` (dimops.md §1).
 */
export function freezeInner(anno: OpAnno): OpAnno {
  const inner = innerNames(anno);
  const freezeDim = (dim: DimAnno): DimAnno => ({
    ...dim,
    identifiers: dim.identifiers.map((identifier) =>
      inner.has(identifier.name) ? { ...identifier, reduction: "^" } : identifier,
    ),
  });
  const freezeShape = (shape: ShapeAnno) => ({ ...shape, dims: shape.dims.map(freezeDim) });
  return { inputs: anno.inputs.map(freezeShape), outputs: anno.outputs.map(freezeShape) };
}

/** Identifiers that stand behind another one in some bracket, leading `1`s aside. */
function innerNames(anno: OpAnno): ReadonlySet<string> {
  const dims = [...anno.inputs, ...anno.outputs].flatMap((shape) => shape.dims);
  const inner = dims.flatMap(({ identifiers }) => {
    const leading = identifiers.findIndex(({ name }) => name !== "1");
    return leading < 0 ? [] : identifiers.slice(leading + 1);
  });
  return new Set(inner.map(({ name }) => name));
}

function inconsistent(identifier: Identifier, first: Identifier): Diagnostic {
  const text = `${identifier.name}${first.reduction}`;
  return {
    code: "dimops/inconsistent-reduction",
    severity: "error",
    message:
      `reduce type of identifier "${identifier.name}" is not consistent: ` +
      `${described(identifier)} here, ${described(first)} before`,
    span: identifier.span,
    related: [{ message: "first written here", span: first.span }],
    upstream: "ValueError",
    fixes: [{ title: `Write "${text}"`, edits: [{ ...identifier.span, text }] }],
  };
}

function described({ reduction }: Identifier): string {
  return reduction === "" ? "no reduction" : `"${reduction}"`;
}
