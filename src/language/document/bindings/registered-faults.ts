// Faults in calls of registered functions, and the fixes that pass missing arguments.

import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { Context } from "#language/python";
import type { Registered } from "./registration.ts";

/**
 * Diagnostic for a hidden size that the call does not pass. nnScaler sees neither defaults nor
 * assumptions: without a default Python refuses the call, otherwise nnScaler cannot infer the size.
 */
export function sizeMissing(
  { label, signature }: Registered,
  name: string,
  size: number,
  span: Span,
  context: Context,
): Diagnostic {
  const isParameter = signature.parameters.some((parameter) => parameter.name === name);
  const hasDefault = signature.defaults.has(name);
  const upstream = isParameter && !hasDefault ? "TypeError" : "AssertionError";
  const source = hasDefault ? "its default" : "assumed";
  const canPass = isParameter || signature.parameters.length === 0;
  return {
    code: "nnscaler/size-not-passed",
    severity: "warning",
    message: `the call of "${label}" does not pass "${name}": read as ${size} (${source}), but nnScaler needs the argument`,
    span,
    upstream,
    ...(canPass && { fixes: [passing(name, size, span, context)] }),
  };
}

function passing(name: string, size: number, span: Span, context: Context): Fix {
  return passingText(`${name}=${size}`, span, context);
}

/** Fix that adds `, name=value` before the closing bracket of a call. */
export function passingText(text: string, span: Span, context: Context): Fix {
  const at = span.to - 1;
  const before = context.source.slice(span.from, at).trimEnd();
  const lead = /[(,]$/.test(before) ? "" : ", ";
  return {
    title: `Pass ${text}`,
    edits: [{ from: at, to: at, text: lead + text }],
  };
}

/** Diagnostic for a hidden size of an operator that is drawn without a call. */
export function sizeAssumed(
  { label, signature, span }: Registered,
  name: string,
  size: number,
): Diagnostic {
  const parameter = signature.parameters.find((candidate) => candidate.name === name);
  const isLast = parameter !== undefined && parameter === signature.parameters.at(-1);
  const isWritable = isLast && !signature.defaults.has(name);
  const at = parameter?.span.to ?? 0;
  const text = parameter?.annotationSpan === undefined ? `=${size}` : ` = ${size}`;
  return {
    code: "document/assumed-size",
    severity: "info",
    message: `"${name}" of "${label}" is assumed to be ${size}`,
    span: parameter?.span ?? span,
    ...(isWritable && {
      fixes: [{ title: `Write ${name}${text}`, edits: [{ from: at, to: at, text }] }],
    }),
  };
}

export function argumentMissing({ label }: Registered, name: string, span: Span): Diagnostic {
  return {
    code: "nnscaler/argument-missing",
    severity: "warning",
    message: `${label}() missing 1 required positional argument: '${name}'`,
    span,
    upstream: "TypeError",
  };
}

/** Diagnostic for a call of a function registered without an annotation. */
export function missingAnnotation(label: string, span: Span, source: string): Diagnostic {
  // `...` is a value, neither an annotation text nor a function.
  const isEllipsis = source.slice(span.from, span.to) === "...";
  return {
    code: "nnscaler/missing-annotation",
    severity: "warning",
    message: `the annotation of "${label}" is not in this text: the operator is replicated`,
    span,
    ...(isEllipsis && { upstream: "TypeError" }),
  };
}
