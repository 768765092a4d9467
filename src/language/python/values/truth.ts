import type { Span } from "#core/diagnostics";
import { callSpecial } from "./call.ts";
import { typeName } from "./classes.ts";
import type { Runtime } from "./runtime.ts";
import type { Value } from "./value.ts";

/** Whether a condition holds: `bool(value)`. */
export function truth(rt: Runtime, value: Value, span: Span): boolean {
  switch (value.kind) {
    case "none":
      return false;
    case "bool":
      return value.value;
    case "int":
      return value.value !== 0n;
    case "float":
      return value.value !== 0;
    case "str":
      return value.value !== "";
    case "tuple":
    case "list":
      return value.items.length > 0;
    case "dict":
      return value.entries.size > 0;
    case "dict-view":
      return value.dict.entries.size > 0;
    case "set":
      return value.members.size > 0;
    case "range":
      return value.step > 0n ? value.start < value.stop : value.start > value.stop;
    case "host":
      return hostTruth(rt, value, span);
    case "unknown":
      rt.known(value);
      return true;
    case "instance":
      return instanceTruth(rt, value, span);
    default:
      return true;
  }
}

function hostTruth(rt: Runtime, value: Extract<Value, { kind: "host" }>, span: Span): boolean {
  const own = value.type.truth?.(value, rt.context, span);
  if (own !== undefined) return own;
  const length = value.type.length?.(value, rt.context, span);
  return length === undefined || length > 0;
}

function instanceTruth(
  rt: Runtime,
  value: Extract<Value, { kind: "instance" }>,
  span: Span,
): boolean {
  const own = callSpecial(rt, value, "__bool__", [], span);
  if (own?.kind === "bool") return own.value;
  if (own !== undefined) {
    const message = `__bool__ should return bool, returned ${typeName(own)}`;
    return rt.fail("TypeError", message, span);
  }
  const length = callSpecial(rt, value, "__len__", [], span);
  if (length?.kind === "int" || length?.kind === "bool") return Number(length.value) !== 0;
  return value.native === undefined || truth(rt, value.native, span);
}
