import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import { type Identifier, parseAnnotation } from "#core/dimops";
import type { OperatorId } from "#core/ir";
import type { Document } from "../read-document.ts";
import type { TracedOperator } from "../trace/traced.ts";

/**
 * Difference between a registered function's annotation and its body, found by running the body.
 */
export type BodyFinding =
  | { readonly kind: "shape"; readonly operator: OperatorId; readonly what: string }
  | {
      readonly kind: "axis";
      readonly operator: OperatorId;
      readonly axis: string;
      readonly mark: "+" | "^";
      readonly what?: string;
    };

/**
 * Findings as warnings at the annotations, without duplicates, with a fix where another mark is
 * right.
 */
export function bodyDiagnostics(
  { built }: Document,
  findings: readonly BodyFinding[],
): readonly Diagnostic[] {
  const traced = new Map([...built.operatorOf].map(([each, { id }]) => [id, each]));
  const said = new Map<string, Diagnostic>();
  for (const finding of findings) {
    const operator = traced.get(finding.operator);
    if (operator === undefined) continue;
    const warning = warningOf(operator, finding);
    const key = JSON.stringify([warning.message, warning.span]);
    said.set(key, said.get(key) ?? warning);
  }
  return [...said.values()];
}

function warningOf(operator: TracedOperator, finding: BodyFinding): Diagnostic {
  const name = operator.function?.label ?? operator.op;
  const text = operator.annotations[0];
  if (finding.kind === "shape") {
    return {
      code: "nnscaler/body-shape",
      severity: "warning",
      message: `the body of "${name}" does not fit its annotation: ${finding.what}`,
      span: text?.span ?? operator.span,
      upstream: "ValueError",
    };
  }
  const { axis, mark, what } = finding;
  const places = text?.span === undefined ? [] : placesOf(text.text, axis, text.span);
  const fix = fixFor(axis, mark, places);
  return {
    code: "nnscaler/body-disagrees",
    severity: "warning",
    message: `the body of "${name}" does not agree with its annotation along "${axis}": ${reasonOf(axis, mark, what)}`,
    span: places[0] ?? text?.span ?? operator.span,
    ...(fix !== undefined && { fixes: [fix] }),
  };
}

function reasonOf(axis: string, mark: "+" | "^", what: string | undefined): string {
  if (mark === "+") return `the parts of a cut have to be summed, so it is "${axis}+"`;
  if (what !== undefined) return `on a part, ${what}; so it is "${axis}^"`;
  return `on parts it computes something else than on the whole, so it is "${axis}^"`;
}

/** Spans of an identifier, including its mark, in an annotation. */
function placesOf(text: string, axis: string, { from }: Span): readonly Span[] {
  const parsed = parseAnnotation(text);
  if (!parsed.ok) return [];
  return [...parsed.value.inputs, ...parsed.value.outputs]
    .flatMap(({ dims }) => dims)
    .flatMap(({ identifiers }): readonly Identifier[] => identifiers)
    .filter(({ name }) => name === axis)
    .map(({ span }) => ({ from: from + span.from, to: from + span.to }));
}

function fixFor(axis: string, mark: "+" | "^", places: readonly Span[]): Fix | undefined {
  if (places.length === 0) return undefined;
  const title = mark === "+" ? `Sum over "${axis}": ${axis}+` : `Keep "${axis}" whole: ${axis}^`;
  return { title, edits: places.map((place) => ({ ...place, text: `${axis}${mark}` })) };
}
