import type { Span } from "#core/diagnostics";
import { type Argument, type Context, hostClass, type Value } from "#language/python";
import type { FunctionBody } from "../trace/traced.ts";
import { none } from "./values/values.ts";

/**
 * Calls the body of a registered function; the `forward` of an `autograd.Function` gets a `ctx`.
 */
export function callFunction(
  body: Extract<FunctionBody, { kind: "callable" }>,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const given = body.takesContext ? [{ value: savingContext(context, span), span }, ...args] : args;
  return context.call(body.callee, given, span);
}

/** The `ctx` argument of `forward`. Tensors saved for the backward pass are ignored. */
function savingContext(context: Context, span: Span): Value {
  const ignored = () => none;
  const type = hostClass("FunctionCtx", {
    __init__: ignored,
    save_for_backward: ignored,
    mark_dirty: ignored,
    mark_non_differentiable: ignored,
    set_materialize_grads: ignored,
  });
  return context.call(type, [], span);
}
