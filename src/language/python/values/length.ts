import type { Span } from "#core/diagnostics";
import { integer } from "../library/bind-arguments.ts";
import { callSpecial } from "./call.ts";
import { plain, typeName } from "./classes.ts";
import { rangeLength } from "./equality.ts";
import type { Runtime } from "./runtime.ts";
import { pointsOf } from "./subscript.ts";
import type { Value } from "./value.ts";

/** `len(value)`. */
export function lengthOf(rt: Runtime, value: Value, span: Span): bigint {
  const own = callSpecial(rt, value, "__len__", [], span);
  if (own !== undefined) return integer(rt, own, span);
  const inner = plain(value);
  switch (inner.kind) {
    case "str":
      return BigInt(pointsOf(inner.value).length);
    case "tuple":
    case "list":
      return BigInt(inner.items.length);
    case "dict":
      return BigInt(inner.entries.size);
    case "dict-view":
      return BigInt(inner.dict.entries.size);
    case "set":
      return BigInt(inner.members.size);
    case "range":
      return rangeLength(inner);
    case "host": {
      const length = inner.type.length?.(inner, rt.context, span);
      if (length !== undefined) return BigInt(length);
    }
  }
  rt.known(value);
  return rt.fail("TypeError", `object of type '${typeName(value)}' has no len()`, span);
}
