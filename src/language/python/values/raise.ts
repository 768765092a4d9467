import type { Span } from "#core/diagnostics";
import { call } from "./call.ts";
import { isSubclass } from "./classes.ts";
import type { Runtime } from "./runtime.ts";
import type { InstanceValue, Value } from "./value.ts";

/** Exception for `raise value`: an instance, or an instance made from a class. */
export function instantiateException(
  rt: Runtime,
  value: Value,
  argument: Value | undefined,
  span: Span,
): InstanceValue {
  rt.known(value);
  const base = rt.type("BaseException");
  if (value.kind === "instance" && isSubclass(value.type, base)) return value;
  if (value.kind === "class" && isSubclass(value, base)) {
    const args = argument === undefined ? [] : [{ value: argument, span }];
    const made = call(rt, value, args, span);
    if (made.kind === "instance") return made;
  }
  return rt.fail("TypeError", "exceptions must derive from BaseException", span);
}
