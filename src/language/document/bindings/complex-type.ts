import type { Span } from "#core/diagnostics";
import type { Context } from "#language/python";

/** Reports that `what` is complex and is counted as real numbers. */
export function sayComplex(what: string, context: Context, span: Span): void {
  if (span.from < 0) return;
  context.report({
    code: "document/complex-type",
    severity: "warning",
    message: `complex numbers are not computed: ${what} counts as real numbers, and so do its bytes`,
    span,
  });
}
