import type { Diagnostic, Span } from "#core/diagnostics";
import type { Context, FunctionValue, Value } from "#language/python";
import type { PolicyNode } from "./policy-node.ts";

export function reportReturn(
  { name, nameSpan }: FunctionValue,
  value: Value,
  context: Context,
): void {
  const isMissing = value.kind === "none";
  context.report({
    code: "nnscaler/policy-return",
    severity: isMissing ? "warning" : "error",
    message: `"${name}" must return the graph`,
    span: nameSpan,
    upstream: "RuntimeError",
  });
}

export function uneven({ operator }: PolicyNode, span: Span): Diagnostic {
  return {
    code: "nnscaler/uneven-partition",
    severity: "warning",
    message: `the pieces of "${operator.op}" are split in different ways: it is shown replicated`,
    span,
  };
}

export function unassigned({ operator }: PolicyNode, span: Span): Diagnostic {
  return {
    code: "nnscaler/unassigned-piece",
    severity: "warning",
    message: `pieces of "${operator.op}" have no device: they go to the devices in order, but nnScaler needs graph.assign`,
    span,
    upstream: "RuntimeError",
  };
}
