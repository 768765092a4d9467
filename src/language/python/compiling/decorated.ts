import type { Span } from "#core/diagnostics";
import { call } from "../values/call.ts";
import type { Argument } from "../values/host.ts";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";

/** Applies a decorator to a function or class; an unknown decorator returns it unchanged. */
export function decorated(rt: Runtime, wrapper: Value, made: Argument, span: Span): Value {
  const isUnknown = rt.host.isUnknown;
  const isKnown = !isUnknown?.(wrapper);
  const result = isKnown ? call(rt, wrapper, [made], span) : wrapper;
  if (!isUnknown?.(result)) return result;
  if (made.value.kind === "class") rt.host.opened?.(made.value);
  if (made.value.kind === "function") rt.decorators.set(made.value, result);
  return made.value;
}
