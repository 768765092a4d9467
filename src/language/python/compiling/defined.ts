import type { Span } from "#core/diagnostics";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";

/** The value that a definition binds; the host may replace the made one. */
export function defined(rt: Runtime, made: Value, span: Span): Value {
  if (span.from < 0) return made;
  return rt.host.onDefine?.(made, span, rt.context) ?? made;
}
