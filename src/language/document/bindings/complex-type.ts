import type { Span } from "#core/diagnostics";
import type { Context } from "#language/python";

/** That what is complex counts as real numbers, of the type that its parts have where they say one. */
export function sayComplex(what: string, context: Context, span: Span): void {
  if (span.from < 0) return;
  context.report({
    code: "document/complex-type",
    severity: "warning",
    message: `complex numbers are not computed: ${what} counts as real numbers, and so do its bytes`,
    span,
  });
}
