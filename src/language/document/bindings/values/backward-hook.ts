import type { Span } from "#core/diagnostics";
import type { Context, Value } from "#language/python";
import { hostFunction, namespace, none } from "./values.ts";

/** Reports that a hook of the backward pass is not modelled, and returns its handle. */
export function backwardHook(name: string, context: Context, span: Span): Value {
  context.report({
    code: "document/backward-hook",
    severity: "warning",
    message: `what "${name}" runs with the backward pass is not modelled`,
    span,
  });
  return namespace("RemovableHandle", (each) =>
    each === "remove" ? hostFunction(each, () => none) : undefined,
  );
}
