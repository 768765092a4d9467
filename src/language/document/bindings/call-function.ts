import type { Span } from "#core/diagnostics";
import { type Argument, type Context, hostClass, type Value } from "#language/python";
import type { FunctionBody } from "../trace/traced.ts";
import { none } from "./values/values.ts";

/**
 * Calls the body of a registered function; an `autograd.Function` gets a `ctx` to save values in.
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

/** The `ctx` of `forward`: what it saves is for a backward pass, and no part of the result. */
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
