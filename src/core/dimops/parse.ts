import { type Checked, type Diagnostic, failed, passed, type Span } from "#core/diagnostics";
import type { DimAnno, Identifier, OpAnno, ShapeAnno } from "./annotation.ts";
import { parseShape, stripped } from "./parse-shape.ts";

/** The extent of an annotation text: a whole operator, one tensor, or one dim. */
export type AnnotationLevel = "operator" | "shape" | "dimension";

/**
 * Reads an operator annotation such as `m k+, k+ n -> m n` (dimops.md §1).
 *
 * Every span refers to `text`. Reductions are those that count after freezing. All faults are
 * reported, not only the first; each carries the error kind that upstream raises.
 */
export function parseAnnotation(text: string): Checked<OpAnno> {
  const report: Diagnostic[] = [];
  const [inputs, outputs] = sidesOf(text, report);
  const anno = {
    inputs: parseSide(text, inputs, report),
    outputs: outputs === undefined ? [] : parseSide(text, outputs, report),
  };
  return finished(anno, report);
}

/**
 * Parses an annotation at the given level.
 *
 * A single tensor or dim is parsed as the only input of an operator without outputs, so that
 * freezing inside brackets applies to it as well. A dim is one identifier or one bracket.
 */
export function parseFragment(text: string, level: AnnotationLevel): Checked<OpAnno> {
  if (level === "operator") return parseAnnotation(text);
  const report: Diagnostic[] = [];
  const whole = stripped(text, 0, text.length);
  const pieces = listItems(text, whole);
  const shape = parseShape(text, pieces[0] ?? whole, report);
  const second = pieces[1];
  if (second !== undefined) report.push(oneTensorOnly({ from: second.from - 1, to: whole.to }));
  if (level === "dimension" && shape.dims.length !== 1 && report.length === 0) {
    report.push(oneDimOnly(shape, whole));
  }
  return finished({ inputs: [shape], outputs: [] }, report);
}

function finished(anno: OpAnno, report: readonly Diagnostic[]): Checked<OpAnno> {
  const faults = [...report, ...checkReductions(anno)];
  return faults.length === 0 ? passed(freezeInner(anno)) : failed(...faults);
}

// A second arrow is reported, and the sides after it are read as further outputs.
function sidesOf(text: string, report: Diagnostic[]): readonly [Span, Span | undefined] {
  const arrow = text.indexOf("->");
  if (arrow < 0) {
    const near = /=>|- >|→|⇒|(?<=\s)=(?=\s)/.exec(text);
    report.push(missingArrow(text, near));
    if (near === null) return [{ from: 0, to: text.length }, undefined];
    const from = near.index + near[0].length;
    return [
      { from: 0, to: near.index },
      { from, to: text.length },
    ];
  }
  const second = text.indexOf("->", arrow + 2);
  if (second >= 0) report.push(secondArrow(arrow, second));
  const to = second < 0 ? text.length : second;
  return [
    { from: 0, to: arrow },
    { from: arrow + 2, to },
  ];
}

function parseSide(text: string, side: Span, report: Diagnostic[]): readonly ShapeAnno[] {
  const list = stripped(text, side.from, side.to);
  if (list.from === list.to) return [];
  return listItems(text, list).map((piece) => parseShape(text, piece, report));
}

// Splits at every comma, also at commas inside brackets, as upstream does.
function listItems(text: string, list: Span): readonly Span[] {
  let from = list.from;
  return text
    .slice(list.from, list.to)
    .split(",")
    .map((piece) => {
      const span = { from, to: from + piece.length };
      from = span.to + 1;
      return span;
    });
}

function missingArrow(text: string, near: RegExpExecArray | null): Diagnostic {
  const fault: Diagnostic = {
    code: "dimops/missing-arrow",
    severity: "error",
    message: `expected "->" between inputs and outputs in "${text}"`,
    span: { from: 0, to: text.length },
    upstream: "ValueError",
  };
  if (near === null) return fault;
  const span = { from: near.index, to: near.index + near[0].length };
  return { ...fault, span, fixes: [{ title: 'Write "->"', edits: [{ ...span, text: "->" }] }] };
}

function secondArrow(first: number, second: number): Diagnostic {
  return {
    code: "dimops/second-arrow",
    severity: "error",
    message: 'an annotation has exactly one "->", but here is another',
    span: { from: second, to: second + 2 },
    related: [{ message: "the first one", span: { from: first, to: first + 2 } }],
    upstream: "ValueError",
  };
}

function oneTensorOnly(span: Span): Diagnostic {
  return {
    code: "dimops/more-than-one-tensor",
    severity: "error",
    message: "expected the annotation of one tensor, but a comma begins another",
    span,
    upstream: "AssertionError",
  };
}

function oneDimOnly(shape: ShapeAnno, span: Span): Diagnostic {
  return {
    code: "dimops/not-one-dim",
    severity: "error",
    message: `expected one dim (an identifier or a bracket), but got ${shape.dims.length}`,
    span,
    upstream: "AssertionError",
  };
}

/** All identifiers of an annotation in order of appearance, inputs first, with repetitions. */
export function identifiersOf(anno: OpAnno): readonly Identifier[] {
  const found: Identifier[] = [];
  for (const shapes of [anno.inputs, anno.outputs]) {
    for (const { dims } of shapes) for (const { identifiers } of dims) found.push(...identifiers);
  }
  return found;
}

/** Reports each occurrence whose reduction differs from the identifier's first one. */
function checkReductions(anno: OpAnno): readonly Diagnostic[] {
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
function freezeInner(anno: OpAnno): OpAnno {
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

/** Identifiers that follow another one in some bracket, leading `1`s aside. */
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
